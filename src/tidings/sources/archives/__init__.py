"""Archives of what was crawled: WARC and ARC of the web, and the StreamCorpus chunks of TREC KBA.

tape ──▶ web_records (WARC, ARC) ──▶ web_archive: payloads of HTTP, then items, by whatever reader suits
streamcorpus: decrypted ──▶ items of Thrift ──▶ items
"""
