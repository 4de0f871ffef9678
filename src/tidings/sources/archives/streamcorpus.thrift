// What tidings reads of a StreamItem, the record of TREC KBA's corpora (StreamCorpus, versions 0.2 and 0.3).
// Numbers and types are those of the published schema; fields that are not read are not listed, and are passed over.

struct StreamTime {
  1: double epoch_ticks
  2: string zulu_timestamp
}

struct Offset {
  2: i64 first
  3: i32 length
  5: string content_form
}

struct Token {
  1: i32 token_num
  2: string token
  3: map<i32, Offset> offsets  // by kind: 1 bytes, 2 characters
}

struct Sentence {
  1: list<Token> tokens
}

struct Language {
  1: string code
  2: string name
}

struct ContentItem {
  1: binary raw
  2: string encoding
  3: string media_type
  4: binary clean_html
  5: binary clean_visible
  9: map<string, list<Sentence>> sentences  // by tagger
  11: Language language
}

struct StreamItem {
  1: i32 version
  2: string doc_id
  3: binary abs_url
  4: string schost
  5: binary original_url
  6: string source
  7: ContentItem body
  9: string stream_id  // seconds since 1970, a hyphen, doc_id
  10: StreamTime stream_time
  11: map<string, ContentItem> other_content  // `title`, `anchor`
}
