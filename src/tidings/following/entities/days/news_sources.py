"""Who brings the news: agencies, broadcasters, papers and sites, that are named in nearly every document."""

from __future__ import annotations

__all__ = ["NEWS_SOURCES"]

_LINES = """
    abc news | afp | afp photo | agence france presse | agence france-presse | al jazeera | anadolu agency |
    ansa | ap | ap photo | associated press | associated press writer | bbc | bbc breakfast | bbc news |
    bbc newsnight | bbc one | bbc radio | bbc world service | bloomberg | bloomberg news | cbc | cbc news | cbs |
    cbs news | cnn | cnn.com | ctv news | daily mail | daily telegraph | digg | dpa | efe | epa | facebook |
    flickr | fox news | foxnews.com | getty | getty images | google | google news | google+ | guardian |
    huffington post | instagram | interfax | itar tass | itar-tass | itv | kyodo | kyodo news | linkedin |
    los angeles times | msnbc | nbc | nbc news | new york times | newsnight | npr | nytimes.com | pinterest |
    press association | reddit | reuters | reuters news agency | ria novosti | rss | sky news | stumbleupon |
    the associated press | the huffington post | the times | thomson reuters | tumblr | twitter | upi |
    usa today | voa | voa news | wall street journal | washington post | wikipedia | wordpress | xinhua | yahoo |
    yahoo news | youtube
"""

NEWS_SOURCES = frozenset(map(str.strip, _LINES.split("|")))
"""Names in lower case."""
