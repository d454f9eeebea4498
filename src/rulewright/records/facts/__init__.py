"""What follows from a record by the rules of the game, a module for each subject; `records.canonical` has the order.

- `values`, `state`, `stated`: values and names; what is known at one point of the record; what it states to begin with
- `identity`: what the record calls by two names
- `subjects`: the spell, ability and card that an event is about, zones before it, whether the stack is empty
- `keywords`: what keywords labels name, and which are in force
- `costs`, `targets`: of the spell that is cast
- `effects`: the record's effects that forbid, permit or replace an event
- `characteristics`, `destinations`: of the card or spell, and where it goes from the stack
- `changes`: what an event changes; the parts are in `objects`, `zones`, `attachments`, `counters`
- `resolutions`, `priority`: what is inside of a resolution, and in what order; who has priority
- `standings`: turns, and cards as they are when a step begins

Every derived fact is declared in `ontology/game.ttl` as `game:DerivedProperty` with its rule.
"""
