"""Names of terms, and the packaged ontology and data.

Everything here is read once and kept; nothing is fetched. `Iri` marks a value as an IRI, so that a string
in a record ("exile") and a term of the ontology (`game:exile`) are never confused.
"""

from rulewright.vocabulary.cache import cached
from rulewright.vocabulary.costs import COST_ROLES, COST_TRAITS, KeywordCost
from rulewright.vocabulary.names import (
    AX,
    BASE,
    CORE,
    GAME,
    KEYWORD,
    NEWEST,
    NONE,
    RDF,
    RULE,
    RULING,
    SCENARIO,
    SH,
    SKOS,
    Iri,
    KeywordIris,
    Scalar,
    local_name,
    slug,
)
from rulewright.vocabulary.resources import packaged, turtle_files
from rulewright.vocabulary.rules import RuleNumbers, load_rule_numbers
from rulewright.vocabulary.schema import EventType, OpenWord, Property, Schema, WordUse, load_schema

__all__ = [
    "AX",
    "BASE",
    "CORE",
    "COST_ROLES",
    "COST_TRAITS",
    "GAME",
    "KEYWORD",
    "NEWEST",
    "NONE",
    "RDF",
    "RULE",
    "RULING",
    "SCENARIO",
    "SH",
    "SKOS",
    "EventType",
    "Iri",
    "KeywordCost",
    "KeywordIris",
    "OpenWord",
    "Property",
    "RuleNumbers",
    "Scalar",
    "Schema",
    "WordUse",
    "cached",
    "load_rule_numbers",
    "load_schema",
    "local_name",
    "packaged",
    "slug",
    "turtle_files",
]
