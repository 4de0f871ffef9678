"""Archives of what was crawled: WARC and ARC of the web, and the StreamCorpus chunks of TREC KBA.

tape ──▶ records (warc_records, arc_records) ──▶ http_payload ──▶ web_archive: items, by whatever reader suits
decryption ──▶ thrift_items ──▶ streamcorpus: items
"""
