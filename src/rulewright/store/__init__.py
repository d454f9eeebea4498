"""Where the graph lives: embedded, or behind a remote SPARQL 1.1 endpoint."""

from rulewright.store.dataset import Dataset
from rulewright.store.embedded import Embedded
from rulewright.store.endpoint import Endpoint
from rulewright.store.protocol import Row, Store, StoreError
from rulewright.store.remote import Remote

__all__ = ["Dataset", "Embedded", "Endpoint", "Remote", "Row", "Store", "StoreError"]
