"""The words of a text in any language: by Unicode's letters and marks, and in pairs of characters without blanks.

- Letters, digits and combining marks that touch are a word (as in Unicode's UAX #29; its rules for points and
  apostrophes within words are left out: both separate). Compatibility forms are made plain (NFKC): full-width digits,
  half-width katakana, ligatures. All digits become 0 to 9.
- Han characters: each pair of neighbours (`洪水警报` gives `洪水`, `水警`, `警报`); one alone stands for itself.
  Function characters of Chinese (的, 了, 在 …) separate. Katakana: a whole run is a word. Hiragana: pairs, but none of
  a run that holds grammar. Thai, Lao, Khmer, Burmese: pairs of letters with their marks.
- Korean: words between blanks, without the commonest particles at their end; digits and letters apart.
- Arabic: without vowel signs and tatweel; أ, إ, آ as ا; ى as ي; ة as ه. Persian and Urdu: ي, ى as ی; ك as ک.
- With `icu`, words of Chinese, Japanese, Thai, Lao, Khmer and Burmese are those of ICU's dictionaries (extra `words`).

Words without a topic in languages other than English (articles, pronouns, auxiliaries, particles, verbs of reports)
were written for this project, not taken from a list. They are compared after they were made alike (small letters,
Arabic letter forms), so they are written here as people write them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

STOP_WORDS: dict[str, str] = {
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber auch als am an auf aus bei bis da
        dabei damit dann dass daß davon dazu denn doch dort durch er es sie ihr ihre ihrem ihren ihrer ihm ihn
        ihnen für gegen hat hatte hatten habe haben hier hinter ich im in ins ist ja jede jeder jedes jetzt kann
        kein keine keinen können konnte konnten laut man mehr mein mit nach nicht noch nun nur ob ohne sehr sei
        seien sein seine seinem seinen seiner seit sich sind so soll sollen sollte sollten solche über um uns
        unser unter viel vom von vor war waren was weil welche wenn werden wer wie wieder will wir wird wo
        worden wurde wurden während zu zum zur zwischen zwar nachdem gab gibt geben sagte sagten sagt teilte
        teilten mitteilte sowie bereits etwa rund ab bzw mindestens dieser diese dieses diesem diesen alle allem
        allen aller alles ander andere anderen wegen worüber dürfen muss müssen musste mussten uhr euch du
        dich dir mich mir selbst sondern jedoch
    """,
    "es": """
        el la los las un una unos unas de del al a ante bajo con contra desde durante en entre hacia hasta para
        por según sin sobre tras y e o u ni que qué como cómo cuando donde dónde quien quién cual cuál cuyo si
        no sí más menos muy ya también pero sino porque pues aunque mientras aún todavía solo sólo se su sus le
        les lo me mi mis te tu tus nos nuestro nuestra este esta esto estos estas ese esa eso esos esas aquel
        aquella aquello él ella ellos ellas yo usted ustedes ha han había habían haber hay hubo he es era eran
        ser sea sean fue fueron son está están estaba estaban estar sido siendo tiene tienen tenía tuvo tener
        puede pueden podría pudo dijo dijeron dice informó informaron señaló otro otra otros otras todo toda
        todos todas cada mismo misma tan tanto así luego después antes ahora cerca además
    """,
    "fr": """
        le la les l un une des de d du au aux à et ou où mais donc or ni car que qu qui quoi dont ce c cet cette
        ces ça cela ceci celui celle ceux celles il ils elle elles on nous vous je j tu me m te t se s lui leur
        leurs y en son sa ses mon ma mes ton ta tes notre nos votre vos ne n pas plus moins très bien aussi
        encore déjà dans par pour sur sous avec sans chez entre vers depuis pendant avant après contre dès jusqu
        jusque selon comme si quand lorsque puis alors ainsi afin tout toute tous toutes même mêmes autre autres
        est sont était étaient être été sera seront soit a ont avait avaient avoir eu aura auront ai fait font
        faire peut peuvent pourrait dit indiqué déclaré annoncé affirmé cependant toujours là ici lors environ
        aujourd hui
    """,
    "it": """
        il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal
        dallo dalla dai dagli dalle in nel nello nella nei negli nelle con col su sul sullo sulla sui sugli
        sulle per tra fra e ed o od ma anche che chi cui non né se come quando dove più meno molto già ancora
        solo poi così mentre perché quindi però dopo prima durante contro senza secondo verso si ci vi ne mi ti
        lui lei loro noi voi io tu suo sua suoi sue mio mia nostro questo questa questi queste quello quella
        quelli quelle è sono era erano essere stato stata stati state sia ha hanno aveva avevano avere ho sarà
        saranno può possono detto dice riferito tutti tutte tutto tutta ogni altro altra altri altre stesso
        circa almeno c
    """,
    "pt": """
        o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para
        pra com sem sob sobre entre até desde após contra durante e ou mas nem que quem qual quando onde como se
        não sim mais menos muito já ainda também só apenas porque pois embora enquanto então assim seu sua seus
        suas lhe lhes ele ela eles elas eu você vocês nós me te este esta estes estas isto esse essa esses essas
        isso aquele aquela aqueles aquelas aquilo é são era eram ser foi foram seja está estão estava estavam
        estar sido tem têm tinha tinham ter há havia haver houve pode podem poderia disse disseram afirmou
        informou segundo outro outra outros outras todo toda todos todas cada mesmo cerca num numa
    """,
    "nl": """
        de het een en of maar van in op te tot met voor naar bij uit aan om over onder door tegen tussen na
        sinds tijdens zonder dat die dit deze wat wie waar wanneer hoe als dan toen dus want omdat terwijl er is
        was zijn waren wordt worden werd werden geweest ben bent heeft hebben had hadden kan kunnen kon konden
        zal zullen zou zouden moet moeten mag niet geen wel ook nog al meer minder zeer heel veel hij zij ze hem
        haar hun hen ik je jij u we wij ons onze mijn zich zelf zo daar hier zei zeiden zegt liet weten volgens
        ongeveer zeker alle alles elke ieder andere anderen
    """,
    "sv": """
        och i att det som en på är av för med den till inte de om ett har man från så var men sig eller vid
        under efter där när än nu också vi han hon hans hennes dem deras kan ska skulle hade blev blir bli vara
        varit över mot mellan utan enligt ut upp här denna detta dessa mycket mer sade säger alla andra genom då
        jag du ni oss hur vad minst
    """,
    "da": """
        og i at det som en på er af for med den til ikke de om et har man fra så var men sig eller ved under
        efter der når end nu også vi han hun hans hendes dem deres kan skal skulle havde blev bliver blive være
        været over mod mellem uden ifølge ud op her denne dette disse meget mere sagde siger alle andre gennem
        da jeg du hvor hvad mindst
    """,
    "no": """
        og i at det som en på er av for med den til ikke de om et har man fra så var men seg eller ved under
        etter der når enn nå også vi han hun hans hennes dem deres kan skal skulle hadde ble blir bli være vært
        over mot mellom uten ifølge ut opp her denne dette disse mye mer sa sier alle andre gjennom da jeg du
        hvor hva minst
    """,
    "ru": """
        и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было
        вот от меня еще ещё нет о об из ему теперь когда даже ну ли если уже или ни быть был была были него до
        вас вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем сам чтоб чтобы
        без будто чего раз тоже себе под будет тогда кто этот этого эта эти это этом этой тому какой здесь перед
        при после над через между около более менее которые который которая которое которых которой которым свой
        свои своей своих наш также сообщил сообщила сообщили заявил заявила заявили сказал сказала словам данным
        этим всех всего
    """,
    "uk": """
        і й в у на не що він з із зі як а то все вона так його але та ти до же ви за би по тільки її мені було
        від мене ще ні про йому тепер коли навіть чи якщо вже або бути був була були для ми їх чим сам щоб без
        також під буде хто цей ця це ці цього який яка яке які яких після перед при між через понад близько
        повідомив повідомила повідомили заявив заявили сказав свій свої
    """,
    "pl": """
        i w we na nie że się z ze do to jest o od po za jak ale a oraz lub czy co tak już tylko dla był była
        było były być są przez przed przy pod nad między bez jego jej ich on ona oni one my wy ja ty ten ta te
        tego tej tym tych który która które których gdy kiedy gdzie jeśli bardzo także też może ma mają miał
        poinformował powiedział podała według najmniej więcej mniej
    """,
    "tr": """
        ve bir bu da de için ile çok daha en gibi kadar olan olarak oldu olduğu olduğunu ise ki mi mı mu mü ne o
        şu ama ancak fakat veya ya hem her hiç sonra önce göre dedi söyledi belirtti açıkladı etti eden edildi
        edilen var yok değil onun onlar biz siz ben sen bunu bunun şey diye üzere tarafından az yaklaşık
    """,
    "id": """
        yang dan di ke dari untuk pada dengan ini itu dalam adalah akan telah sudah tidak juga oleh sebagai
        karena atau mereka kami kita ia dia saya anda nya bahwa ada bisa dapat para lebih saat setelah sebelum
        ketika seperti antara serta hingga sampai secara namun tetapi masih lain kata ujar menurut sekitar
        sedikitnya
    """,
    "ro": """
        și si în in de la cu pe din pentru că ca o un una unei unui ale al a ai lui lor sa său se nu este sunt
        era erau fi fost au am ar care ce mai dar sau după până între prin peste fără această acest aceste
        acești acea el ea ei ele noi voi spus declarat potrivit cel puțin când unde cum tot toate toți
    """,
    "el": """
        ο η το οι τα του της των τον την στο στη στην στον στους στις στα και κι να δεν θα με για από που πως
        ότι σε μια ένα ένας είναι ήταν έχει έχουν είχε είχαν αυτό αυτός αυτή αυτά αλλά ή μετά πριν κατά προς
        χωρίς μεταξύ όταν όπου όπως πιο πολύ επίσης δήλωσε είπε τους μας σας τουλάχιστον
    """,
    "ar": """
        في من إلى على عن مع أن إن أنّ لأن كان كانت كانوا يكون تكون ليس هو هي هم هن نحن أنا أنت هذا هذه ذلك تلك
        هؤلاء الذي التي الذين اللذين ما ماذا لا لم لن قد لقد كل بعض غير بين بعد قبل حتى منذ خلال عند عندما حين
        حيث كما لكن أو أم ثم و ف ب ل ك بل إذا إلا أي أكثر أقل نحو حوالي قال قالت وقال وقالت قالوا أعلن أعلنت
        وأعلنت أضاف أضافت وأضاف وأضافت ذكر ذكرت أفاد أفادت بحسب وفق وفقا أمام تحت فوق ضد دون بدون به بها فيه
        فيها منه منها له لها لهم عليه عليها إليه إليها عنه عنها أنه أنها أنهم الى أيضا جدا تم يتم وكان وكانت وهو
        وهي ولم ولا وفي ومن وعلى وقد كذلك مثل نفسه أحد سوف ولكن مما بعدما فقد ان عدد عددا
    """,
    "fa": """
        و در به از که این را با است برای آن یک تا بر هم نیز شد شده شده‌اند کرد کرده کرده‌اند می شود شوند خود ها
        های ای یا اما اگر هر بود بودند باشد دارد دارند داشت گفت گفتند اعلام پس پیش بین نیست او آنها ما شما من چه
        همه دیگر بعد قبل حدود دست کم
    """,
    "hi": """
        का की के को में से पर ने है हैं था थी थे हो होने होना हुआ हुई हुए कर करने करना किया गई गया गए गयी जा
        जाने रहा रही रहे और या तथा एवं कि जो यह ये वह वे इस उस इन उन इसके उसके इसका उसका इसकी उसकी उनके उनका
        उनकी अपने अपनी अपना लिए साथ बाद पहले तक भी ही तो न नहीं मत एक कुछ सब सभी बहुत अब जब तब यहाँ वहाँ यहां
        वहां कहाँ कौन क्या क्यों कैसे जैसे लेकिन मगर अगर यदि द्वारा कहा बताया बताई बोले दिया दी दिए दे लिया ली लिये
        होता होती होते सकता सकती सकते चुका चुकी चुके वाले वाली वाला ओर दौरान कम अधिक ज्यादा करीब लगभग इसी उसी
        मुताबिक अनुसार मैं हम तुम आप वो
    """,
    "ko": """
        그 이 저 것 수 등 및 또 또는 그리고 그러나 하지만 있다 있는 있었다 있으며 했다 한 하는 하고 해 된 되는
        됐다 되었다 이다 대해 대한 위해 통해 따라 따르면 관련 때문 지난 오늘 말했다 밝혔다 전했다 최소 약 더
        모두 다시 함께 이번 현재 우리 그들
    """,
}
"""By code of ISO 639-1."""

SEPARATORS: dict[str, str] = {
    "zh": "的了是在和有也都就而但被把从從对對与與及或等已将將并並其之以于於这這那我你他她它们們个個为為至后後"
    "前说說称稱向让讓使還还又很",
    "ja": "等各約",
}
"""Characters that stand between words of Chinese, or of Japanese in Han characters, and belong to none."""

GRAMMAR = """
    ある いる する なる れる られ せる させ てい てお てき てし まし ます ませ でし です だっ った って ない
    なか なく なり なっ した して しま しよ しょ よう ため こと もの とこ ころ から まで より ので のに では
    には とは にも でも とも へと など だけ ほど くら ぐら らい すで でに さら らに また まだ もう この その
    あの どの これ それ あれ ここ そこ ども うち おり おい いて いた いう いな いま によ にお にか につ にた
    とし とい とみ とな をし をう され きた きて くる たと たり たち だと なが がら ばか ばな あと あり よる
    よっ おけ ける けて けた れて れた うと うに ほか おお やく およ よそ かけ かか かっ もと もに はじ じめ
    こう そう
"""
"""Pairs of hiragana that grammar is made of: a run of hiragana that has one is no word of its own."""


UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})
"""Languages that are written without blanks between words."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u135d-\u135f\u17b4-\u17d3\u200c\u200d"
)
_WORD = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
_HIRAGANA = "\u3041-\u309f"
_THAI = "\u0e01-\u0e4e"
_LAO = "\u0e81-\u0ece\u0edc-\u0edf"
_KHMER = "\u1780-\u17d3"
_BURMESE = "\u1000-\u103f\u1050-\u109f"
_NO_BLANKS = re.compile(f"[{_HAN}{_KATAKANA}{_HIRAGANA}{_THAI}{_LAO}{_KHMER}{_BURMESE}]")
_RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<katakana>[{_KATAKANA}]+)|(?P<hiragana>[{_HIRAGANA}]+)"
    f"|(?P<clusters>[{_THAI}{_LAO}{_KHMER}{_BURMESE}]+)|(?P<digits>[0-9]+)"
    f"|(?P<other>[^0-9{_HAN}{_KATAKANA}{_HIRAGANA}{_THAI}{_LAO}{_KHMER}{_BURMESE}]+)"
)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HANGUL_RUNS = re.compile("[0-9]+|[^0-9]+")
# A letter with the vowel that stands before it and the marks that stand after it.
_CLUSTER = re.compile(
    "[\u0e40-\u0e44\u0ec0-\u0ec4]?"
    "(?:\u17d2.|\u1039.|[^\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3])"
    "(?:\u17d2.|\u1039.|[\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d1\u17d3])*"
)
_NO_HIRAGANA = re.compile(f"[^{_HIRAGANA}]").search
_GRAMMAR = frozenset(GRAMMAR.split())
_LONGEST_RUN = 2_000

_ARABIC_GONE = "\u0640" + "".join(map(chr, (*range(0x610, 0x61B), *range(0x64B, 0x660), 0x670)))
_ARABIC = dict.fromkeys(map(ord, _ARABIC_GONE)) | str.maketrans("أإآٱىة", "ااااي" + "ه")
_PERSIAN = dict.fromkeys(map(ord, _ARABIC_GONE)) | str.maketrans("أإآٱيىكة", "اااایی" + "که")
_HEBREW = dict.fromkeys(range(0x591, 0x5C8))
_OWN_FORMS = {"ar": _ARABIC, "fa": _PERSIAN, "ur": _PERSIAN, "he": _HEBREW}
_JOINERS = dict.fromkeys((0x200C, 0x200D, 0xAD, 0x200B))
_APOSTROPHES = "'’ʼ＇"
_INSIDE = frozenset({"uk", "be", "br"})  # languages with an apostrophe inside words
# At the end of a Korean word; the longer ones first.
_PARTICLES = re.compile(
    "(?:에서는|에게서|으로는|이라고|라고|에서|에게|으로|까지|부터|보다|처럼|마다|이나|이며|하고|했다|한다|에는|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)


@lru_cache(maxsize=1)
def digits() -> dict[int, str]:
    """Every digit of another script to its figure, what joins letters to nothing."""
    return {
        code: str(unicodedata.decimal(chr(code)))
        for code in range(0x600, min(0x1E960, sys.maxunicode))
        if unicodedata.decimal(chr(code), None) is not None
    }


def word_reader(language: str, *, icu: bool = False) -> Callable[[str], list[str]]:
    """What gives the words of texts in a language, stop words included.

    Args:
        language: a code of ISO 639-1; others are read by Unicode's rules alone.
        icu: by the dictionaries of ICU where words have no blanks between them; needs the extra `words`.

    >>> word_reader("zh")("洪水造成12人死亡。"), word_reader("ja")("ダムが決壊した")
    (['洪水', '水造', '造成', '12', '人死', '死亡'], ['ダム', '決壊'])
    >>> word_reader("fr")("L'eau monte"), word_reader("hi")("बाढ़ में १२ मृत")
    (['l', 'eau', 'monte'], ['बाढ़', 'में', '12', 'मृत'])
    """
    own = _OWN_FORMS.get(language, {})
    table = {**digits(), **own, **_JOINERS, **dict.fromkeys(map(ord, _APOSTROPHES), " ")}
    if language in _INSIDE:
        table.update(dict.fromkeys(map(ord, _APOSTROPHES)))
    separators = frozenset(SEPARATORS.get(language, ""))
    find = _WORD.findall
    icu_words = _icu_words(language) if icu and language in UNSPACED else None

    def read(text: str) -> list[str]:
        if not text.isascii():
            # Which takes the Thai and Lao vowel am apart.
            text = unicodedata.normalize("NFKC", text)
            text = text.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")
        text = text.translate(table).lower()
        if language == "ko":
            return [word for whole in find(text) for word in _korean(whole)]
        if text.isascii() or not _NO_BLANKS.search(text):
            return find(text)
        if icu_words is not None:
            return [word for word in icu_words(text) if word not in separators and not _is_grammar(word)]
        return [word for whole in find(text) for word in _unspaced(whole, separators)]

    return read


def _korean(whole: str) -> Iterator[str]:
    for part in _HANGUL_RUNS.findall(whole):
        bare = _PARTICLES.sub("", part) if _HANGUL.search(part) else part
        yield bare if len(bare) >= 2 else part


def _unspaced(whole: str, separators: frozenset[str]) -> Iterator[str]:
    for run in _RUNS.finditer(whole):
        kind, text = run.lastgroup, run.group()[:_LONGEST_RUN]
        if kind == "han":
            if separators.isdisjoint(text):
                yield from _pairs(text)
            else:
                for part in "".join(" " if one in separators else one for one in text).split():
                    yield from _pairs(part)
        elif kind == "hiragana":
            pairs = list(_pairs(text))
            if len(text) > 2 and _GRAMMAR.isdisjoint(pairs):
                yield from pairs
        elif kind == "clusters":
            yield from _pairs(_CLUSTER.findall(text))
        else:
            yield text


def _is_grammar(word: str) -> bool:
    if _NO_HIRAGANA(word):
        return False
    return len(word) <= 2 or not _GRAMMAR.isdisjoint(_pairs(word))


def _pairs(parts: str | list[str]) -> Iterator[str]:
    if len(parts) == 1:
        yield parts[0]
    for one, other in pairwise(parts):
        yield one + other


def _icu_words(language: str) -> Callable[[str], list[str]]:
    try:
        from icu4py.breakers import WordBreaker
    except ImportError:
        from tidings.core.errors import UsageError

        raise UsageError(
            "segmenter=icu without the package icu4py (expected it to be installed): pip install 'tidings[words]'"
        ) from None

    def words(text: str) -> list[str]:
        return [word for part in WordBreaker(text, language) for word in _WORD.findall(part)]

    return words


def count_words(text: str) -> int:
    """How many words a text has, for limits on length: runs between blanks; two characters without blanks are one.

    >>> count_words("The dam broke on Friday."), count_words("洪水造成十二人死亡。")
    (5, 5)
    """
    if text.isascii() or not _NO_BLANKS.search(text):
        return len(text.split())
    unspaced = len(_NO_BLANKS.findall(text))
    rest = _NO_BLANKS.sub(" ", text).split()
    return sum(any(map(str.isalnum, word)) for word in rest) + (unspaced + 1) // 2
