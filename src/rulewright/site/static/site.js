// Suggestions while one types in the search field at the top (WAI-ARIA: combobox with a list). All else needs no script.
"use strict";
(() => {
  const field = document.querySelector(".find input[data-suggest]");
  if (!field) return;
  const list = document.createElement("ul");
  list.className = "suggested";
  list.id = "suggested";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", field.getAttribute("aria-label"));
  field.parentElement.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-controls": "suggested", "aria-expanded": "false", "aria-autocomplete": "list" })) field.setAttribute(name, value);
  const language = document.documentElement.lang;
  const kept = new URLSearchParams(location.search).has("lang");
  let chosen = -1, timer = 0, asking = null;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const choose = (number) => {
    const options = [...list.children];
    chosen = (number + options.length) % options.length;
    options.forEach((option, n) => option.setAttribute("aria-selected", String(n === chosen)));
    field.setAttribute("aria-activedescendant", options[chosen].id);
  };
  const show = (found) => {
    list.replaceChildren(...found.map((one, n) => {
      const option = document.createElement("li");
      option.id = `suggested-${n}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.href = one.href;
      const kind = document.createElement("span");
      kind.textContent = one.kind;
      option.append(one.title, kind);
      return option;
    }));
    chosen = -1;
    list.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
  };
  const ask = async () => {
    const text = field.value.trim();
    if (text.length < 2) return close();
    asking?.abort();
    asking = new AbortController();
    const query = new URLSearchParams(kept ? { q: text, lang: language } : { q: text });
    try {
      const answer = await fetch(`${field.dataset.suggest}?${query}`, { signal: asking.signal });
      if (answer.ok && document.activeElement === field) show(await answer.json());
    } catch {
      // a newer question is on its way, or the server is not to be had: the form works all the same
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      location.href = list.children[chosen].dataset.href;
    } else if (event.key === "Escape") {
      event.preventDefault(); // a search field would lose what was typed
      close();
    }
  });
  list.addEventListener("mousedown", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) location.href = option.dataset.href;
  });
  field.addEventListener("blur", () => setTimeout(close, 150));
})();
