"""Words of the languages of the world's news, read from one file a language in the folder `data`.

A file is a JSON object: topic → list of phrases, or topic → table of lists. Its key "cldr" holds tables that
tools/write_languages.py takes from the Unicode CLDR; they are joined with the hand-written ones. `data/README.md` says
what each topic is for. Adding a language is adding one file; importing this package reads none.

In a phrase `*` stands for any letters (or none), `…` for up to 25 characters of any kind. Phrases are as a language writes them, in
small letters.
"""

from newscrawler.languages.load import Language, languages, load_class_names, table, words
from newscrawler.languages.patterns import alternatives, compile_late, one_of, pattern

__all__ = ["Language", "alternatives", "compile_late", "languages", "load_class_names", "one_of", "pattern", "table", "words"]
