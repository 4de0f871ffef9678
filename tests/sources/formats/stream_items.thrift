// StreamItems as TREC KBA wrote them: what tidings reads, and much that it passes over.
struct StreamTime { 1: double epoch_ticks, 2: string zulu_timestamp }
struct Annotator { 1: string annotator_id, 2: optional StreamTime annotation_time }
struct Offset { 1: i32 type, 2: i64 first, 3: i32 length, 4: optional string xpath, 5: optional string content_form, 6: optional binary value }
struct Target { 1: string target_id, 2: optional string kb_id }
struct Label { 1: Annotator annotator, 2: Target target, 3: optional map<i32, Offset> offsets, 4: optional bool positive, 6: optional list<string> mentions, 7: optional i16 relevance }
struct Token {
  1: i32 token_num, 2: string token, 3: optional map<i32, Offset> offsets, 4: optional i32 sentence_pos, 5: optional string lemma,
  6: optional string pos, 7: optional i32 entity_type, 8: optional i32 mention_id, 9: optional i32 equiv_id, 10: optional i32 parent_id,
  11: optional string dependency_path, 12: optional map<string, list<Label>> labels, 13: optional i32 mention_type
}
struct Sentence { 1: list<Token> tokens, 2: optional map<string, list<Label>> labels }
struct Tagging { 1: string tagger_id, 2: binary raw_tagging, 5: optional StreamTime generation_time }
struct Language { 1: string code, 2: optional string name }
struct ContentItem {
  1: optional binary raw, 2: optional string encoding, 3: optional string media_type, 4: optional binary clean_html, 5: optional binary clean_visible,
  6: optional list<string> logs, 7: optional map<string, Tagging> taggings, 8: optional map<string, list<Label>> labels,
  9: optional map<string, list<Sentence>> sentences, 10: optional map<string, binary> sentence_blobs, 11: optional Language language,
  14: optional map<string, map<i32, string>> external_ids
}
struct StreamItem {
  1: i32 version, 2: string doc_id, 3: optional binary abs_url, 4: optional string schost, 5: optional binary original_url, 6: optional string source,
  7: optional ContentItem body, 8: optional map<string, binary> source_metadata, 9: string stream_id, 10: StreamTime stream_time,
  11: optional map<string, ContentItem> other_content
}
