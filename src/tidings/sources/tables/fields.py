"""The fields of a document that a column may hold: how a person names their columns, and what outlets call them."""

from __future__ import annotations

import re
import unicodedata

from tidings.core import UsageError

# The likeliest names first; of two columns that could be taken, the one that stands earlier here is.
NAMES = {
    "time": """
        published_time published_at published pub_date publish_date publication_date publication_datetime
        date_published publishing_date published_on published_date publish_time pub_time
        web_publication_date first_published date_publish date_time datetime seen_date timestamp
        unix_timestamp date time created_at created_utc created_time created posted_at posted post_date day
        event_date article_date news_date issued release_date Veröffentlichungsdatum Veröffentlicht
        Veröffentlicht_am Erscheinungsdatum Erschienen Datum Zeitpunkt Uhrzeit Zeit Fecha_de_publicación
        Fecha_publicación Fecha Publicado Fecha_hora Día Date_de_publication Date_publication Publié_le
        Publié Jour Data_di_pubblicazione Data_pubblicazione Pubblicato Data_de_publicação Data_publicação
        Publicado_em Data_publikacji Data Publicatiedatum Gepubliceerd дата_публикации опубликовано дата
        время تاريخ_النشر التاريخ تاريخ تاریخ_انتشار تاریخ 发布时间 发布日期 發布時間 發佈日期 日期 时间
        時間 公開日 公開日時 掲載日 配信日 日時 日付 प्रकाशन_तिथि प्रकाशित तारीख दिनांक तिथि समय
        Yayın_tarihi Tarih 작성일 등록일 발행일 날짜 일시 Tanggal Ngày תאריך วันที่ Dato Datum_publikace
    """,
    "title": """
        title headline web_title main article_title news_title heading subject title_text Überschrift
        Schlagzeile Titel Titular Título Titre Titolo Manchete Tytuł Kop Rubrik Otsikko Overskrift заголовок
        название العنوان عنوان 标题 標題 题目 見出し 題名 タイトル शीर्षक Başlık 제목 Judul כותרת หัวข้อ
    """,
    "text": """
        content_encoded full_text body_text article_body article_text main_text main_content clean_text text body
        content
        content_text content_html article story story_text raw_text plain_text maintext fulltext news_body
        message post_text tweet self_text post comment sentence Volltext Artikeltext Inhalt
        Text_des_Artikels Texto_completo Cuerpo Contenido Texto Texte Contenu Corps Testo Contenuto Corpo
        Conteúdo Corpo_do_texto Treść Tekst Inhoud текст содержание содержимое النص نص المحتوى متن 正文 全文
        内容 內容 文章 本文 記事 記事本文 पाठ समाचार सामग्री लेख Metin İçerik 본문 내용 기사 Isi Konten תוכן
        เนื้อหา
    """,
    "url": """
        url web_url link permalink href article_url article_link document_identifier source_url news_url
        short_url uri Adresse Verweis Enlace Lien Collegamento Ligação Odnośnik ссылка адрес رابط الرابط
        پیوند 链接 鏈接 連結 网址 網址 リンク लिंक कड़ी Bağlantı 링크 주소 Tautan קישור
    """,
    "id": """
        id guid doc_id docno doc_no document_id article_id news_id item_id post_id tweet_id status_id
        object_id uuid _id id_str stream_id identifier key Kennung Nummer Identificador Identifiant Codice
        Идентификатор معرف 编号 編號 番号 क्रमांक Kimlik 번호
    """,
    "outlet": """
        outlet source source_name media_name page_name publisher_name publication
        publisher newspaper medium media outlet_name publication_name
        site_name site_full site website domain source_type feed feed_title news_outlet provider channel
        agency stream_type platform Quelle Medium Zeitung Herausgeber Fuente Medio Periódico Diario Source
        Média Journal Fonte Testata Veículo Jornal Bron источник издание сми المصدر مصدر منبع 来源 來源 媒体
        媒體 出典 配信元 媒体名 情報源 स्रोत अखबार Kaynak Źródło Gazeta 출처 언론사 Sumber מקור แหล่งที่มา
    """,
    "language": """
        language lang language_code locale in_language source_language Sprache Idioma Lengua Langue Lingua
        Taal Język язык اللغة لغة زبان 语言 語言 言語 भाषा Dil 언어 Bahasa שפה ภาษา
    """,
    "updated": "updated_at updated date_modified last_modified modified modified_at updated_on lastmod date_modify",
    "short": """
        lead_paragraph description summary abstract snippet lead excerpt trail_text standfirst teaser
        caption subtitle Beschreibung Zusammenfassung Anreißer Resumen Descripción Entradilla Résumé
        Description Chapô Riassunto Sommario Descrizione Resumo Descrição аннотация описание الملخص وصف
        خلاصه 摘要 简介 簡介 概要 要約 विवरण सारांश Özet 요약
    """,
    "never": """
        author authors byline by keywords tags tag category categories section desk type image image_url img
        thumbnail url_to_image copyright rights query event topic label labels class score rank sentiment
        count views likes comments num_comments shares retweets latitude longitude lat lon country city
        location username user user_name name Autor Autoren Kategorie Schlagworte Autores Categoría Auteur
        Catégorie Autore Categoria автор 作者 著者
    """,
    "part": """
        author authors user source media image multimedia byline place account entities publisher thread card poll feed
        origin
    """,
    "outlet of a part": """
        source.name source.title publisher.name publication.name outlet.name thread.site thread.site_full feed.title
        origin.title site.name account.display_name media.name
    """,
}


FIELDS = ("id", "time", "title", "text", "url", "outlet", "language")
"""What `--columns` can name."""

_PAIR = re.compile(r"\s*([^=]*?)\s*=(.*)", re.DOTALL)
_NEXT = re.compile(rf",(?=\s*(?:{'|'.join(FIELDS)}|[^\W\d]\w*)\s*=)", re.IGNORECASE)


def parse_columns(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a field and its column, from words such as `time=date,text=body`.

    A column is named as its header has it, a nested one with points (`source.name`), or by its number from 1. A name
    may hold commas: a new pair begins only where a word and `=` follow.

    Raises:
        UsageError: no pair, a field that is not known, one that comes twice, or an empty name.

    >>> parse_columns("time=date, text=Body, in full")
    (('time', 'date'), ('text', 'Body, in full'))
    >>> parse_columns("when=date")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: 'when' as a field of --columns (expected id, time, title, text, ...)
    """
    fields = f"{', '.join(FIELDS[:-1])} or {FIELDS[-1]}"
    pairs: dict[str, str] = {}
    for part in _NEXT.split(text):
        match = _PAIR.fullmatch(part)
        if match is None:
            raise UsageError(
                f"{part.strip()[:60]!r} in --columns (expected pairs of a field and its column, "
                "such as time=date,text=body)"
            )
        field, column = match[1].lower(), match[2].strip()
        if field not in FIELDS:
            raise UsageError(f"{match[1][:60]!r} as a field of --columns (expected {fields})")
        if not column:
            raise UsageError(f"no column for {field!r} in --columns (expected {field}=COLUMN)")
        if field in pairs:
            raise UsageError(f"{field!r} twice in --columns (expected each field once)")
        pairs[field] = column
    return tuple(pairs.items())


def simple(name: str) -> str:
    """A column's name as it is compared: its letters and digits with their marks, without accents and capitals.

    >>> simple("publishedAt") == simple("Published at"), simple("Título"), simple("दिनांक") == "दिनांक"
    (True, 'titulo', True)
    """
    split = unicodedata.normalize("NFKD", name.casefold())
    bare = unicodedata.normalize("NFC", "".join(c for c in split if not "\u0300" <= c <= "\u036f"))
    return "".join(c for c in bare if c.isalnum() or unicodedata.category(c)[0] == "M")


_RANKS = {
    field: {name: rank for rank, name in reversed(list(enumerate(dict.fromkeys(map(simple, names.split())))))}
    for field, names in NAMES.items()
}


def ranks_of(field: str) -> dict[str, int]:
    """How likely each name is one of the field's, the likeliest with the smallest number; by `simple` names.

    Beside `FIELDS` there are `updated`, `short` (a summary), `never` (none of all), `part` and `outlet of a part`.
    """
    return _RANKS[field]


def words_of(names: list[str], most: int = 12) -> str:
    """Names of columns as a message lists them.

    >>> words_of(["date", "body"]), words_of(list("abcdefghijklmnop"), most=3)
    ('date, body', 'a, b, c and 13 more')
    """
    shown = ", ".join(name[:40] if name.isprintable() else repr(name[:40]) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
