"use strict";
// Copy buttons, and the keys / (filter) and Esc. Everything else works without.
(() => {
  const ready = root => root.querySelectorAll("button.copy[hidden]").forEach(b => { b.hidden = !navigator.clipboard; });
  document.addEventListener("click", async e => {
    const b = e.target.closest("button.copy");
    if (!b) return;
    try {
      await navigator.clipboard.writeText(b.previousElementSibling.textContent);
      b.textContent = "Copied";
    } catch {
      b.textContent = "Not copied: select the text";
    }
    setTimeout(() => { b.textContent = "Copy"; }, 2000);
  });
  document.addEventListener("keydown", e => {
    const q = document.getElementById("q");
    const typing = e.target.matches("input,select,textarea");
    if (e.key === "/" && q && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      q.focus();
      q.select();
    } else if (e.key === "Escape" && e.target === q) {
      q.blur();
    }
  });
  // A choice in a list shows at once what the button would.
  document.addEventListener("change", e => {
    const f = e.target.matches("select") && e.target.closest("form.filters");
    if (f && f.querySelector("[type=search]")) f.requestSubmit();
  });
  document.addEventListener("htmx:afterSettle", () => ready(document));
  ready(document);
})();
