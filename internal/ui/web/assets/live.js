"use strict";
// Frames of the running hosts: the table in place, the charts beside it.
(() => {
  const $ = id => document.getElementById(id);
  const most = 1200, dark = matchMedia("(prefers-color-scheme: dark)");
  const colours = () => dark.matches ? ["#56b4e9", "#f28e4b", "#3fc79a", "#dd9bbf", "#e69f00", "#9ad1f2", "#f0e442", "#a5b0bc"]
    : ["#0072b2", "#c14f00", "#007d5a", "#a64d80", "#e69f00", "#56b4e9", "#6b6b00", "#5a6572"];
  let chosen = "", paused = false, keys = rows().map(r => r.dataset.key), loading = false;
  const cores = { box: $("cores"), names: [], data: [[]], plot: null };
  const rates = { box: $("rates"), names: ["in", "out"], data: [[], [], []], plot: null };

  function rows() { return [...document.querySelectorAll("#tree tbody tr")]; }

  function draw(c) {
    if (c.plot) c.plot.destroy();
    const ink = getComputedStyle(document.body).color, line = getComputedStyle(document.body).getPropertyValue("--line"), use = colours();
    const clock = t => t == null ? "--" : new Date(t * 1e3).toISOString().slice(11, 19);
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    c.plot = new uPlot({
      width: Math.max(c.box.clientWidth, 240), height: 240, tzDate: t => uPlot.tzDate(new Date(t * 1e3), "Etc/UTC"),
      axes: [{ ...axis, space: 70, values: (u, at) => at.map(clock) }, { ...axis, size: 64 }],
      scales: { y: { range: (u, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      series: [{ label: "UTC", value: (u, t) => clock(t) }, ...c.names.map((n, i) => ({ label: n, stroke: use[i % use.length], width: 2, dash: i < use.length ? undefined : [6, 4], points: { show: false } }))],
    }, c.data, c.box);
  }

  function add(c, at, values) {
    c.data[0].push(at);
    values.forEach((v, i) => c.data[i + 1].push(v ?? null));
    if (c.data[0].length > most) return again(); // the server thins out what is old
    if (!paused) c.plot.setData(c.data);
  }

  async function choose(key) {
    chosen = key;
    const r = rows().find(r => r.dataset.key === key);
    document.querySelectorAll("button.row").forEach(b => b.setAttribute("aria-pressed", String(b.closest("tr") === r)));
    $("chosen").textContent = key.replace(/^\//, "");
    const past = await (await fetch("/live/past?key=" + encodeURIComponent(key))).json();
    if (key !== chosen) return;
    rates.data = [past.time ?? [], ...rates.names.map((_, i) => past.rates?.[i] ?? [])];
    if (!cores.plot) {
      cores.names = Object.keys(past.cores).sort();
      cores.data = [[...(past.time ?? [])], ...cores.names.map(n => past.cores[n])];
      draw(cores);
    }
    draw(rates);
  }

  function again() {
    cores.plot?.destroy();
    cores.plot = null;
    choose(chosen);
  }

  function show(f) {
    $("at").textContent = f.at;
    if ($("faults")) $("faults").classList.toggle("bad", !!(f.failed || f.faults?.length));
    if ($("faults")) $("faults").textContent = f.failed ? "not known: " + f.failed : f.faults?.length ? f.faults.join(", ") : "none";
    const filtered = new URLSearchParams(location.search).get("q");
    const now = f.rows.map(r => r.key);
    if (!filtered && now.join("\n") !== keys.join("\n") && !loading) {
      loading = true; // another tree: the server draws it
      htmx.ajax("GET", location.href, { target: "#list", select: "#list", swap: "outerHTML" }).finally(() => {
        loading = false;
        keys = rows().map(r => r.dataset.key);
        start();
      });
    }
    const by = new Map(f.rows.map(r => [r.key, r]));
    for (const tr of rows()) {
      const r = by.get(tr.dataset.key);
      if (!r) continue;
      tr.classList.toggle("down", !!r.down);
      tr.classList.toggle("alarm", !!r.alarm);
      tr.querySelector(".note").textContent = r.note;
      const cells = tr.querySelectorAll("td.n");
      r.cells?.forEach((text, i) => { if (cells[i]) cells[i].textContent = text; });
    }
    if (!f.time) return;
    const names = Object.keys(f.cores).sort();
    if (cores.plot && names.some(n => !cores.names.includes(n))) { // a host that was not there
      cores.names.filter(n => !names.includes(n)).forEach(n => names.push(n));
      const old = cores;
      cores.data = [old.data[0], ...names.map(n => old.names.includes(n) ? old.data[old.names.indexOf(n) + 1] : old.data[0].map(() => null))];
      cores.names = names;
      draw(cores);
    }
    if (cores.plot && cores.data[0].at(-1) !== f.time) add(cores, f.time, cores.names.map(n => f.cores[n]));
    if (rates.plot && f.rates[chosen] && rates.data[0].at(-1) !== f.time) add(rates, f.time, f.rates[chosen]);
  }

  // The first SEA is drawn, or the first element.
  function start() {
    if (chosen && rows().some(r => r.dataset.key === chosen)) return;
    const all = rows().filter(r => r.classList.contains("element"));
    const first = all.find(r => / SEA$/.test(r.querySelector("button").textContent)) ?? all[0];
    if (first) choose(first.dataset.key);
  }

  document.addEventListener("click", e => {
    const b = e.target.closest("button.row");
    if (b) choose(b.closest("tr").dataset.key);
  });
  $("pause").hidden = false;
  $("pause").addEventListener("click", e => {
    paused = !paused;
    e.target.setAttribute("aria-pressed", String(paused));
    e.target.textContent = paused ? "Go on" : "Pause";
  });
  const redraw = () => [cores, rates].forEach(c => c.plot && draw(c));
  addEventListener("resize", redraw);
  dark.addEventListener("change", redraw);
  const from = new EventSource("/live/events");
  from.addEventListener("frame", e => { if (!paused) show(JSON.parse(e.data)); });
  from.onopen = () => { $("stream").textContent = ""; };
  from.onerror = () => { $("stream").textContent = "not connected, trying again"; };
  addEventListener("pagehide", () => from.close());
  start();
})();
