"""The sentences of the documents of a stream, in their language, and which languages there were."""

from __future__ import annotations

from tidings.core import Document, Sentence
from tidings.following.stream.route import Router

__all__ = ["DocumentReader"]


class DocumentReader:
    """Cuts documents into sentences, says their language where nobody has, and counts both.

    Args:
        router: which languages are read by the events in their period.
        languages: documents by language ("": not known), kept up here.
        unread: those of them in none of the languages of these events.
    """

    def __init__(self, router: Router, languages: dict[str, int], unread: dict[str, int]) -> None:
        self._router, self._languages, self._unread = router, languages, unread

    def read(self, document: Document) -> tuple[Sentence, ...]:
        """The sentences of a document for which some event is in its period."""
        sentences = document.sentences
        if sentences:
            if not sentences[0].language and sentences[0].events is None:
                from tidings.core import in_their_language

                sentences = in_their_language(sentences)
        elif document.text or document.title:
            from tidings.core import cut

            sentences = cut(document).sentences
        if not sentences:
            return ()
        language, counts = sentences[0].language, self._languages
        counts[language] = counts.get(language, 0) + 1
        if self._router.has_languages and not self._router.reads(language):
            self._unread[language] = self._unread.get(language, 0) + 1
        return sentences
