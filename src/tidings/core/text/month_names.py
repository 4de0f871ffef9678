"""The names of months in the languages that dates are read in, and words made alike: small, bare, with plain digits."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

__all__ = ["fold", "month_names"]

# Twelve months of a language, divided by commas; the names of one month by blanks. Where two languages mean different
# months by one name, the language that more is published in has it.
_BY_LANGUAGE = {
    "en": "january jan,february feb febr,march mar,april apr,may,june jun,july jul,august aug,september sept sep,"
    "october oct,november nov,december dec",
    "de": "januar jänner jan jän,februar feber febr feb,märz mär mrz maerz,april apr,mai,juni jun,juli jul,august aug,"
    "september sept sep,oktober okt,november nov,dezember dez",
    "fr": "janvier janv,février févr fév,mars,avril avr,mai,juin,juillet juil,août,septembre,octobre,novembre,"
    "décembre déc",
    "es": "enero ene,febrero,marzo,abril abr,mayo,junio,julio,agosto ago,septiembre setiembre set,octubre,noviembre,"
    "diciembre dic",
    "it": "gennaio gen,febbraio,marzo,aprile,maggio mag,giugno giu,luglio lug,agosto,settembre sett,ottobre ott,"
    "novembre,dicembre",
    "pt": "janeiro,fevereiro fev,março,abril,maio,junho,julho,agosto,setembro,outubro out,novembro,dezembro dez",
    "nl": "januari,februari,maart mrt,april,mei,juni,juli,augustus,september,oktober,november,december",
    "pl": "stycznia styczeń sty,lutego luty lut,marca marzec,kwietnia kwiecień kwi,maja maj,czerwca czerwiec cze,"
    "lipca lipiec lip,sierpnia sierpień sie,września wrzesień wrz,października październik paź,listopada listopad lis,"
    "grudnia grudzień gru",
    "ru": "января январь янв,февраля февраль февр фев,марта март мар,апреля апрель апр,мая май,июня июнь июн,"
    "июля июль июл,августа август авг,сентября сентябрь сент сен,октября октябрь окт,ноября ноябрь нояб ноя,"
    "декабря декабрь дек",
    "uk": "січня січень січ,лютого лютий лют,березня березень бер,квітня квітень квіт,травня травень трав,"
    "червня червень черв,липня липень лип,серпня серпень серп,вересня вересень вер,жовтня жовтень жовт,"
    "листопада листопад лист,грудня грудень груд",
    "tr": "ocak oca,şubat şub,mart,nisan nis,mayıs,haziran haz,temmuz tem,ağustos ağu,eylül eyl,ekim eki,kasım kas,"
    "aralık ara",
    "ar": "يناير كانون_الثاني جانفي,فبراير شباط فيفري,مارس آذار,أبريل ابريل إبريل نيسان أفريل,مايو أيار ماي,"
    "يونيو يونيه حزيران جوان,يوليو يوليه تموز جويلية,أغسطس آب أوت,سبتمبر أيلول,أكتوبر اكتوبر تشرين_الأول,"
    "نوفمبر تشرين_الثاني,ديسمبر كانون_الأول",
    "hi": "जनवरी जन,फ़रवरी फरवरी फ़र,मार्च,अप्रैल,मई,जून,जुलाई जुल,अगस्त अग,सितंबर सितम्बर सित,अक्टूबर अक्तूबर अक्टू अक्तू,"
    "नवंबर नवम्बर नव,दिसंबर दिसम्बर दिस",
    "sv": "januari,februari,mars,april,maj,juni,juli,augusti,september,oktober,november,december",
    "da": "januar,februar,marts,april,maj,juni,juli,august,september,oktober,november,december des",
    "fi": "tammikuuta tammikuu tammi,helmikuuta helmikuu helmi,maaliskuuta maaliskuu maalis,huhtikuuta huhtikuu huhti,"
    "toukokuuta toukokuu touko,kesäkuuta kesäkuu kesä,heinäkuuta heinäkuu heinä,elokuuta elokuu elo,"
    "syyskuuta syyskuu syys,lokakuuta lokakuu loka,marraskuuta marraskuu marras,joulukuuta joulukuu joulu",
    "cs": "ledna leden,února únor,března březen,dubna duben,května květen,června červen,července červenec,srpna srpen,"
    "září,října říjen,listopadu,prosince prosinec",
    "hu": "január,február,március márc,április ápr,május máj,június jún,július júl,augusztus,szeptember szept,október,"
    "november,december",
    "ro": "ianuarie ian,februarie,martie,aprilie,mai,iunie iun,iulie iul,august,septembrie,octombrie,noiembrie noi,"
    "decembrie",
    "el": "ιανουαρίου ιανουάριος ιαν,φεβρουαρίου φεβρουάριος φεβ,μαρτίου μάρτιος μαρ,απριλίου απρίλιος απρ,"
    "μαΐου μάιος μαϊ,ιουνίου ιούνιος ιουν ιούν,ιουλίου ιούλιος ιουλ ιούλ,αυγούστου αύγουστος αυγ,"
    "σεπτεμβρίου σεπτέμβριος σεπ,οκτωβρίου οκτώβριος οκτ,νοεμβρίου νοέμβριος νοε,δεκεμβρίου δεκέμβριος δεκ",
    "id": "januari,februari,maret,april,mei,juni,juli,agustus agu agt,september,oktober,november,desember",
    "ca": "gener,febrer,març,abril,maig,juny,juliol,agost,setembre,octubre,novembre,desembre",
    "he": "ינואר,פברואר,מרץ מרס,אפריל,מאי,יוני,יולי,אוגוסט,ספטמבר,אוקטובר,נובמבר,דצמבר",
}

_UNSEEN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_BLANKS = re.compile(r"\s+")
_MARKS_FROM = 200
"""The class from which on combining marks are accents; those below belong to the letters of Indian scripts."""


def fold(text: str) -> str:
    """Text in small letters without accents, unseen marks and doubled blanks, its digits those of ASCII.

    >>> fold("١٧ Février  2026"), fold("２０２６年")
    ('17 fevrier 2026', '2026年')
    """
    if text.isascii():
        return _BLANKS.sub(" ", text.lower()).strip()
    apart = unicodedata.normalize("NFKD", _UNSEEN.sub("", text).lower())
    bare = "".join(
        str(unicodedata.digit(char, 0)) if char.isdecimal() else char
        for char in apart
        if unicodedata.combining(char) < _MARKS_FROM
    )
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", bare)).strip()


@cache
def month_names() -> dict[str, int]:
    """The number of a month by each of its names, which are folded; blanks in a name are one blank.

    >>> names = month_names()
    >>> names["fevrier"], names[fold("März")], names[fold("ağustos")], names[fold("फ़रवरी")], names[fold("أكتوبر")]
    (2, 3, 8, 2, 10)
    """
    numbers: dict[str, int] = {}
    for months in _BY_LANGUAGE.values():
        for number, names in enumerate(months.split(","), 1):
            for name in names.split():
                numbers.setdefault(fold(name.replace("_", " ")), number)
    return numbers
