# What other wings use of this one: file by file.

from .clustering import read_clusters as read_clusters
from .formats.categories import (
    CategoryLine as CategoryLine,
    read_categories as read_categories,
    write_categories as write_categories,
)
from .formats.desk_lines import (
    DESK_LOG_FILE as DESK_LOG_FILE,
    FORM as FORM,
    AccountLine as AccountLine,
    AssignmentLine as AssignmentLine,
    ClaimLine as ClaimLine,
    DeskLine as DeskLine,
    EntryLine as EntryLine,
    ItemLine as ItemLine,
    ProjectLine as ProjectLine,
    TopicLine as TopicLine,
    entry_of as entry_of,
    line_of_entry as line_of_entry,
    read_desk_lines as read_desk_lines,
    write_desk_lines as write_desk_lines,
)
from .formats.judge_answers import read_possible_matches as read_possible_matches
from .formats.linked_2001 import (
    read_links as read_links,
    write_judges as write_judges,
    write_links as write_links,
)
from .formats.official_scores import COLUMNS as COLUMNS, read_official_scores as read_official_scores
from .formats.registry import FORMATS as FORMATS
from .formats.tweets import write_qrels as write_qrels, write_tweet_clusters as write_tweet_clusters
from .judgment_agreement import (
    Links as Links,
    clusters_alike as clusters_alike,
    link_overlap as link_overlap,
    shared_span_overlap as shared_span_overlap,
)
from .library.runs import (
    read_documents as read_documents,
    read_judgments as read_judgments,
    read_run as read_run,
)
from .library.scores import (
    RunComparison as RunComparison,
    Scores as Scores,
    compare as compare,
    score as score,
)
from .matching.learned import (
    JudgedRows as JudgedRows,
    NuggetMatcher as NuggetMatcher,
    figures as figures,
    judged_event_texts as judged_event_texts,
    judged_rows as judged_rows,
    learn_matcher as learn_matcher,
)
from .matching.meaning import Encode as Encode
from .measures.agreement import (
    adjusted_mutual_information as adjusted_mutual_information,
    adjusted_rand as adjusted_rand,
    cohen_kappa as cohen_kappa,
    fleiss_kappa as fleiss_kappa,
    krippendorff_alpha as krippendorff_alpha,
    mean_of_defined as mean_of_defined,
)
from .measures.entities import average_precision as average_precision, prepare_rankings as prepare_rankings
from .measures.measure import (
    Measure as Measure,
    MeasureInfo as MeasureInfo,
    every_measure as every_measure,
    parse_measure as parse_measure,
)
from .measures.novelty_2001 import event_agreement as event_agreement, topic_agreement as topic_agreement
from .measures.nuggets_as_clusters import (
    prepare_event as prepare_event,
    published_time as published_time,
    score_days as score_days,
)
from .measures.rts import PreparedTweets as PreparedTweets
from .measures.rts_rules import Mode as Mode
from .measures.run_comparison import (
    Comparison as Comparison,
    MeasureComparison as MeasureComparison,
    Settings as Settings,
    compare_scores as compare_scores,
)
from .measures.run_scores import RunScores as RunScores
from .measures.significance import randomization_test as randomization_test
from .measures.tls.topic import (
    cheapest as cheapest,
)
from .measures.trec_ts.prepared import PreparedEvent as PreparedEvent
from .measures.trec_ts.rules import RULES as RULES
from .measures.trec_ts.scores import (
    Prepared as Prepared,
    latency_discount as latency_discount,
    prepare as prepare,
)
from .pooling import pool_runs as pool_runs
from .report.charts import (
    FONT as FONT,
    WIDE as WIDE,
    Chart as Chart,
    Spec as Spec,
    layer as layer,
    make_chart as make_chart,
    picture as picture,
    quantity as quantity,
    whole as whole,
)
from .report.comparison import Extras as Extras, boxed as boxed, render_comparison as render_comparison
from .report.comparison_tables import (
    Provenance as Provenance,
    comparison_json as comparison_json,
    figure as figure,
    p_text as p_text,
    verdict_p as verdict_p,
    with_sign as with_sign,
)
from .report.page import (
    fill_template as fill_template,
    support_markup as support_markup,
)
from .report.study_tables import (
    print_study as print_study,
    render_study as render_study,
    study_json as study_json,
)
from .scoring import RULE_SETS as RULE_SETS, scorer_for as scorer_for
from .scoring.runs import (
    digests_of_files as digests_of_files,
    files_of_runs as files_of_runs,
    printable_path as printable_path,
    read_runs as read_runs,
)
from .selection.next_updates import (
    DeskSelection as DeskSelection,
    NuggetSuggester as NuggetSuggester,
    SuggestedNugget as SuggestedNugget,
    likeliest as likeliest,
    nuggets_of as nuggets_of,
)
from .selection.pool_texts import (
    Candidate as Candidate,
    TermMatrix as TermMatrix,
    Terms as Terms,
    candidates_of as candidates_of,
)
from .selection.selection import Strategy as Strategy
from .study.categories import Assigned as Assigned, CategoryTable as CategoryTable, categorise as categorise
from .study.collection import Collection as Collection, collect as collect
from .study.whole_study import (
    EffortComparison as EffortComparison,
    Study as Study,
    TaskEffort as TaskEffort,
    compare_effort as compare_effort,
    make_study as make_study,
)
