// The editor's conveniences. Everything also works without them.
"use strict";
(() => {
  const query = document.getElementById("sparql-query");
  const form = query && query.closest("form");
  if (!form) return;
  const said = form.querySelector(".sparql-said");
  const caret = "rulewright-sparql-caret";
  const longest = 4000; // characters of an address: a longer query is posted

  form.querySelector(".sparql-keys").hidden = false;
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      sessionStorage.setItem(caret, `${query.selectionStart} ${query.selectionEnd} ${query.scrollTop}`);
      form.requestSubmit();
    }
  });

  form.addEventListener("submit", () => {
    const empty = [...form.querySelectorAll("input[type=text]")].filter((field) => !field.value.trim());
    for (const field of empty) field.disabled = true; // leaves the address short
    form.method = encodeURIComponent(query.value).length > longest ? "post" : "get";
    setTimeout(() => empty.forEach((field) => { field.disabled = false; }));
  });

  const go = (start, end) => {
    query.focus({ preventScroll: true });
    query.setSelectionRange(start, end);
  };
  const problem = document.getElementById("sparql-problem");
  const kept = sessionStorage.getItem(caret);
  sessionStorage.removeItem(caret);
  if (problem && problem.dataset.line) {
    const lines = query.value.split("\n");
    const line = Math.min(Number(problem.dataset.line), lines.length);
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    // A column counts characters, a selection UTF-16 units.
    const start = before + [...lines[line - 1]].slice(0, Number(problem.dataset.column) - 1).join("").length;
    go(start, Math.max(start, before + lines[line - 1].length));
  } else if (kept) {
    const [start, end, top] = kept.split(" ").map(Number);
    go(start, end);
    query.scrollTop = top;
  }

  // Text without comments, strings and IRIs, in which a prefix is only ever a prefix.
  const bare = (text) => text.replace(
    /<[^<>"{}|^`\\\s]*>|"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g, " ");
  const declare = form.querySelector(".sparql-declare");
  declare.hidden = false;
  declare.addEventListener("click", () => {
    const text = bare(query.value);
    const declared = new Set([...text.matchAll(/\bPREFIX\s+([\w.-]*):/gi)].map((match) => match[1]));
    const used = new Set([...text.matchAll(/(?<![\w?$.:-])([A-Za-z][\w-]*):/g)].map((match) => match[1]));
    const lines = [];
    for (const row of document.querySelectorAll(".sparql-prefixes dl > div")) {
      const name = row.querySelector("dt").textContent.trim().slice(0, -1);
      if (used.has(name) && !declared.has(name)) lines.push([name, row.querySelector("dd").textContent.trim()]);
    }
    const at = query.selectionStart;
    const added = lines.map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`).join("");
    if (added) {
      query.setRangeText(added, 0, 0, "preserve");
      said.textContent = declare.dataset.declared.replace("{0}", lines.map(([name]) => name).join(", "));
    } else {
      said.textContent = declare.dataset.nothing;
    }
    go(at + added.length, at + added.length);
  });
})();
