// The search of a site that is files: looks through the names and texts of rulewrightIndex for what the address asks.
// Names and what is sought are compared as `rulewright search` compares them (rulewright.index.folding).
"use strict";
(() => {
  const list = document.getElementById("hits");
  const found = document.getElementById("found");
  const field = document.getElementById("words");
  const form = field?.form;
  const index = globalThis.rulewrightIndex;
  if (!list || !found || !form || !index) return;
  const LIMIT = 50, EXCERPT = 160;
  const hint = found.textContent;
  const language = document.documentElement.lang;
  const [EXACT, BEGINNING, WORDS, CLOSE, TEXT] = [0, 1, 2, 3, 4];
  const KINDS = ["keyword", "term", "card", "rule", "ruling"];
  const ENDINGS = ["ing", "ern", "em", "er", "en", "es", "ed", "e", "s", "n"];
  const SPELT = { "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "å": "a", "ð": "d", "þ": "th", "ł": "l", "đ": "d" };

  const fold = (text) => text.normalize("NFC").toLowerCase().replace(/['’‘ʼ`´′]/g, "").replace(/[äöüßæœøåðþłđ]/g, (sign) => SPELT[sign])
    .normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/([aou])e/g, "$1").replace(/[^0-9a-z]+/g, " ").trim();
  // A folded word without its ending, English or German.
  const stem = (word) => {
    const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 4) ?? "";
    const rest = word.slice(0, word.length - ending.length);
    return rest.endsWith("y") && rest.length >= 4 ? `${rest.slice(0, -1)}i` : rest;
  };
  const stems = (folded) => folded.split(" ").map(stem).join(" ");
  // How many letters are wrong, missing, too many or swapped; more than `most` are not counted.
  const errors = (a, b, most) => {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        const other = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + other);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      [before, last] = [last, row];
    }
    return last[b.length];
  };
  const allowed = (word) => (word.length < 3 ? 0 : word.length < 6 ? 1 : word.length < 11 ? 2 : 3);

  // A rule by its heading, without what its number says anyway.
  const told = (kind, name) => (kind === "rule" ? name.replace(/, ([0-9]+[a-z]?|[a-z])$/, "") : name);

  const things = index.map(([kind, path, names, texts, heading]) => {
    const label = {};
    for (const [text, tag] of [...names, ...heading]) label[tag] ??= told(kind, text);
    // texts are found with the names of what they are about
    const about = fold([...names.filter(([, , rank]) => rank === 0), ...heading].map(([text]) => text).join(" "));
    return {
      kind, label, path: `${path}.html`,
      names: names.map(([text, tag, rank]) => ({ text, tag, rank, folded: fold(text) })).filter((name) => name.folded),
      texts: texts.map(([text, tag]) => ({ text, tag, folded: ` ${fold(text)}`, stems: ` ${stems(`${about} ${fold(text)}`)}` })),
    };
  });
  const title = ({ label, path }) => {
    const named = label[language] || label[Object.keys(label).filter(Boolean).sort()[0]];
    return [label[""], named].filter(Boolean).join(" ") || path.replace(/\.html$/, "");
  };
  const near = (word, other) => other.startsWith(word) || errors(word, other, allowed(word)) <= allowed(word);

  const ofName = (name, sought, compact, words) => {
    const joined = name.folded.replaceAll(" ", "");
    if (joined === compact) return [EXACT, 0];
    if (name.folded.startsWith(sought)) return [BEGINNING, 0];
    const there = name.folded.split(" ");
    if (words.every((word) => there.some((other) => other.startsWith(word)))) return [WORDS, 0];
    if (compact.length > 3 && joined.includes(compact)) return [WORDS, 1];
    return null;
  };
  const forgiven = (name, compact, words) => {
    const joined = name.folded.replaceAll(" ", "");
    const wrong = errors(compact, joined, allowed(compact));
    if (wrong <= allowed(compact)) return [CLOSE, wrong];
    const there = name.folded.split(" ");
    return words.length < 9 && words.every((word) => there.some((other) => near(word, other))) ? [CLOSE, 4] : null;
  };
  const before = (a, b) => {
    for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return a[n] < b[n];
    return false;
  };
  const search = (text, kinds) => {
    const number = /^(?:cr|rules?|regeln?)[\s:]*(\d{3}\b.*)$/i.exec(text.trim());
    const sought = fold(number ? number[1] : text);
    const [words, compact] = [sought.split(" "), sought.replaceAll(" ", "")];
    if (!compact) return [];
    const hits = new Map();
    const add = (thing, key, shown) => {
      if (!hits.has(thing) || before(key, hits.get(thing).key)) hits.set(thing, { thing, key, ...shown });
    };
    const among = things.filter(({ kind }) => !kinds.length || kinds.includes(kind));
    const byName = (fit) => {
      for (const thing of among) {
        for (const name of thing.names) {
          const how = fit(name);
          if (how) add(thing, [...how, name.rank, KINDS.indexOf(thing.kind), name.folded.length, Number(!["", language].includes(name.tag)), name.text], { matched: told(thing.kind, name.text) });
        }
      }
    };
    byName((name) => ofName(name, sought, compact, words));
    if (![...hits.values()].some(({ key }) => key[0] === EXACT)) byName((name) => forgiven(name, compact, words));
    for (const thing of among) {
      for (const one of thing.texts) {
        if (!words.every((word) => one.folded.includes(` ${word}`) || one.stems.includes(` ${stem(word)}`))) continue;
        const together = one.folded.includes(` ${sought}`) ? 0 : 1;
        add(thing, [TEXT, together, 0, -KINDS.indexOf(thing.kind), one.folded.length, Number(one.tag !== language), one.text], { text: one.text });
      }
    }
    return [...hits.values()].sort((a, b) => (before(a.key, b.key) ? -1 : before(b.key, a.key) ? 1 : 0));
  };

  const excerpt = ({ thing, text }, words) => {
    const shown = text ?? (thing.kind === "ruling" ? (thing.texts.find(({ tag }) => tag === language) ?? thing.texts[0])?.text : "");
    if (!shown || shown.length <= EXCERPT) return shown || "";
    const at = [...shown.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => words.some((one) => stem(fold(word)) === stem(one)))?.index ?? 0;
    const start = at < EXCERPT / 4 ? 0 : shown.lastIndexOf(" ", at - 20) + 1;
    const end = start + EXCERPT >= shown.length ? shown.length : shown.lastIndexOf(" ", start + EXCERPT);
    return (start ? "… " : "") + shown.slice(start, end) + (end < shown.length ? " …" : "");
  };
  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const show = (text, kinds) => {
    const all = text.trim() ? search(text, kinds) : [];
    const hits = all.slice(0, LIMIT);
    const said = !text.trim() ? hint : !hits.length ? found.dataset.none : all.length > LIMIT ? found.dataset.cut : hits.length === 1 ? found.dataset.one : found.dataset.some;
    found.textContent = said.replace("{0}", () => (hits.length ? hits.length : text.trim()));
    const words = fold(text).split(" ");
    list.replaceChildren(...hits.map((hit) => {
      const row = document.createElement("li");
      const rest = document.createElement("div");
      const link = element("a", title(hit.thing));
      link.href = hit.thing.path;
      rest.append(link);
      const own = [title(hit.thing), hit.thing.label[""], hit.thing.label[language]];
      const others = [...new Set([hit.thing.label[language === "en" ? "de" : "en"], hit.matched])].filter((name) => name && !own.includes(name));
      if (others.length) rest.append(" ", element("span", others.join(", "), "second"));
      const part = excerpt(hit, words);
      if (part) rest.append(element("p", part));
      row.append(element("span", list.dataset[hit.thing.kind], "of"), rest);
      return row;
    }));
  };

  const boxes = [...form.querySelectorAll("input[name=kind]")];
  const now = () => {
    const kinds = boxes.filter((box) => box.checked).map((box) => box.value);
    const asked = new URLSearchParams(field.value ? [["q", field.value], ...kinds.map((kind) => ["kind", kind])] : []);
    history.replaceState(null, "", String(asked) ? `?${asked}` : location.pathname);
    show(field.value, kinds);
  };
  const asked = new URLSearchParams(location.search);
  field.value = (asked.get("q") ?? "").slice(0, 200);
  for (const box of boxes) box.checked = asked.getAll("kind").includes(box.value);
  let timer = 0;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    now();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(now, 120);
  });
  show(field.value, boxes.filter((box) => box.checked).map((box) => box.value));
})();
