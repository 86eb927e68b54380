"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

  // --- Elements; texts are always texts ---
  const SVG = "http://www.w3.org/2000/svg";
  function add(parent, name, attributes = {}, text = null) {
    const svg = name === "svg" || parent.namespaceURI === SVG;
    const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== null) element.textContent = text;
    parent.append(element);
    return element;
  }
  // Names break behind these marks, never inside a number.
  function addName(parent, text) {
    for (const part of text.split(/(?<=[_.,:;|-])/)) { parent.append(part); add(parent, "wbr"); }
  }
  const known = (value) => value !== undefined && value !== null;
  const show = (value, decimals) => (known(value) ? value.toFixed(decimals) : "");
  const count = (n) => n.toLocaleString("en");
  const fileOf = (path) => path.split("/").pop();
  const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

  // --- Axes ---
  function niceStep(span, most) {
    const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  }
  function ticks(low, high, most = 6) {
    const step = niceStep(high - low || 1, most), found = [];
    for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + step * 1e-6; x += step) found.push(+x.toPrecision(10));
    return found;
  }
  const H = 300, LEFT = 62, RIGHT = 12, TOP = 10, BOTTOM = 46;
  let W = 560;
  function chart(id, label, xs, ys, xTitle, yTitle, yTicks = null) {
    const svg = byId(id);
    W = Math.min(Math.max(svg.parentElement.clientWidth, 320), 560); // texts keep their size on a phone
    svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
    svg.setAttribute("aria-label", label);
    const x = (v) => LEFT + ((v - xs[0]) / (xs[1] - xs[0] || 1)) * (W - LEFT - RIGHT);
    const y = (v) => H - BOTTOM - ((v - ys[0]) / (ys[1] - ys[0] || 1)) * (H - TOP - BOTTOM);
    add(svg, "path", { class: "axis", d: `M${LEFT} ${TOP}V${H - BOTTOM}H${W - RIGHT}` });
    for (const t of ticks(...xs)) add(svg, "text", { x: x(t), y: H - BOTTOM + 15, "text-anchor": "middle" }, String(t));
    for (const [t, text] of yTicks || ticks(Math.min(...ys), Math.max(...ys)).map((t) => [t, String(t)]))
      add(svg, "text", { x: LEFT - 5, y: y(t) + 4, "text-anchor": "end" }, text);
    add(svg, "text", { class: "soft", x: (LEFT + W) / 2, y: H - 10, "text-anchor": "middle" }, xTitle);
    add(svg, "text", { class: "soft", transform: `translate(13 ${H / 2}) rotate(-90)`, "text-anchor": "middle" }, yTitle);
    return { svg, x, y };
  }

  // A figure as a file: what the page's style says goes along, on the page's paper.
  const STYLE = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];
  function saveFile(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
  }
  function saveSvg(svg, name) {
    const copy = svg.cloneNode(true), box = svg.viewBox.baseVal, own = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
      const style = getComputedStyle(own[i]);
      for (const key of STYLE) if (style.getPropertyValue(key)) element.setAttribute(key, style.getPropertyValue(key).replaceAll('"', "'"));
      element.removeAttribute("class");
    });
    for (const [key, value] of [["xmlns", SVG], ["width", box.width], ["height", box.height]]) copy.setAttribute(key, value);
    copy.prepend(add(document.createElementNS(SVG, "g"), "rect", { x: box.x, y: box.y, width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }));
    saveFile(`${name}.svg`, new XMLSerializer().serializeToString(copy), "image/svg+xml");
  }
  function saver(parent, svg, name) {
    add(parent, "button", { type: "button", class: "save", title: "Save this figure" }, "SVG").addEventListener("click", (event) => {
      event.stopPropagation();
      saveSvg(svg, name);
    });
  }

  // --- Distributions ---
  // What the tags of a pose say: as text, and numbers by the names that columns have here.
  const NUMBERS = ["rank", "ranking", "mode", "pose_ranking", "confidence", "score", "energy", "strain", "conformer_strain", "clash", "efficiency", "rmsd", "rotors", "unmet"];
  data.hits.forEach((hit, i) => {
    const tags = new Map(hit.figures), number = (name) => (tags.get(name) ? +tags.get(name) : NaN);
    for (const [key, name] of [...NUMBERS.map((name) => [name, name]), ["heavy", "heavy_atoms"]]) if (isFinite(number(name))) hit[key] = number(name);
    hit.tags = tags;
    hit.terms = data.terms.map((name) => (isFinite(number(name)) ? number(name) : null));
    if (hit.drawn_as_before) for (const key of ["paths", "places", "smiles", "picture"]) hit[key] = data.hits[i - 1][key];
  });
  const hits = data.hits, unit = data.unit ? ` (${data.unit})` : "";
  const scoreOf = (hit) => [hit[ranks], hit.ranking, hit.pose_ranking, hit.score, hit.energy].find(known);
  const ranks = data.ranked_by || "score", ranked = ranks.endsWith("ranking"), ranksTitle = ranks.replace("_", " ") + (ranked ? "" : unit);
  // A ligand's poses stay together, in berth's order: what ranks poses compares no ligands.
  hits.forEach((hit, i) => {
    const before = hits[i - 1]?.first;
    hit.first = hit.mode > 1 && before?.name === hit.name ? before : hit;
    hit.at = i;
  });
  // Of hits with the same canonical SMILES those behind the first, by rank.
  const molecules = new Map();
  for (const hit of [...hits].sort((a, b) => scoreOf(a.first) - scoreOf(b.first) || a.at - b.at)) {
    const before = hit.smiles && molecules.get(hit.smiles);
    if (hit.smiles && !before) molecules.set(hit.smiles, hit);
    if (before && before.first !== hit.first) hit.same = before;
  }
  // Known actives, by the names of their molecules: of hits that are states by state_of, or by their own without endings.
  const actives = new Set(data.roc?.names);
  for (const hit of hits) {
    let name = hit.tags.get("state_of") || hit.name;
    while (data.roc?.states && !actives.has(name) && /._\d+$/.test(name)) name = name.replace(/_\d+$/, "");
    hit.active = actives.has(name);
  }
  // Of a table with a row a ligand those that are shown count, with however many poses; of others the poses.
  const perLigand = data.rows === data.ligands, placed = perLigand ? hits.filter((hit) => hit.first === hit).length : hits.length;
  const some = hits.length && placed < data.rows;
  const worst = hits.reduce((most, hit) => Math.max(most, scoreOf(hit.first)), -Infinity);

  function drawHistogram({ low, step: narrow, counts: fine }) {
    // Few ligands: bars of several bins.
    const each = [1, 2, 3, 4, 5, 6, 10].find((n) => fine.length / n <= Math.max(3 * Math.sqrt(data.ligands), 10)) || 10, step = narrow * each;
    const counts = fine.reduce((sums, n, i) => { sums[Math.floor(i / each)] = (sums[Math.floor(i / each)] || 0) + n; return sums; }, []);
    const most = Math.max(...counts), log = most > 300;
    const height = (n) => (log ? (n ? Math.log10(n) + 0.15 : 0) : n);
    const yTicks = log ? [...Array(Math.floor(Math.log10(most)) + 1).keys()].map((p) => [p + 0.15, count(10 ** p)])
      : ticks(0, most * 1.05).filter(Number.isInteger).map((n) => [n, count(n)]);
    const { svg, x, y } = chart("histogram", `Histogram of ${ranks.replace("_", " ")}`, [low, low + step * counts.length], [0, height(most) * 1.05],
      ranksTitle, log ? "ligands, logarithmic" : "ligands", yTicks);
    if (some) { // behind the bars
      add(svg, "path", { class: "axis", "stroke-dasharray": "3 3", d: `M${x(worst)} ${TOP}V${H - BOTTOM}` });
      const aside = x(worst) > x(low + step * counts.length / 2); // where there is room
      add(svg, "text", { x: x(worst) + (aside ? -4 : 4), y: TOP + 9, "text-anchor": aside ? "end" : "start" },
        aside ? `in the table: ${plural(placed, perLigand ? "ligand" : "pose")} \u2190` : `\u2190 ${plural(placed, perLigand ? "ligand" : "pose")} in the table`);
    }
    counts.forEach((n, i) => {
      if (!n) return;
      const from = low + i * step, inHits = from + step / 2 <= worst;
      const bar = add(svg, "rect", { class: inHits ? "hit" : "bar", x: x(from) + 0.5, y: y(height(n)),
        width: Math.max(x(from + step) - x(from) - 1, 1), height: Math.max(y(0) - y(height(n)), 0.5) });
      add(bar, "title", {}, `${from.toFixed(2)} to ${(from + step).toFixed(2)}: ${plural(n, "ligand")}`);
    });
    byId("histogram-text").textContent = plural(data.ligands, "ligand") +
      (some ? `; left of the dashed line, ${worst.toFixed(2)}, the hits of the table` : "") + ". The last bar holds all that is higher.";
  }
  function drawSizes({ low, step, cells }) {
    if (!cells.length) return;
    const sizes = cells.map((cell) => cell[0]), most = Math.max(...cells.map((cell) => cell[2]));
    const first = Math.min(...sizes), last = Math.max(...sizes);
    const { svg, x, y } = chart("sizes", `${ranks.replace("_", " ")} against number of heavy atoms`, [first - 1, last + 1], [low + step * 61, low - 2 * step], // the best at the top
     
      "heavy atoms", ranksTitle);
    const best = hits.filter((hit) => hit.first === hit && known(hit.heavy)).slice(0, 300);
    // Where each ligand has a circle, cells say nothing more.
    const all = best.length === data.ligands;
    for (const [heavy, bin, n] of all ? [] : cells) {
      const cell = add(svg, "rect", { class: "cell", x: x(heavy - 0.5), y: y(low + bin * step), width: Math.max(x(1) - x(0), 1),
        height: Math.max(y(step) - y(0), 1), opacity: (0.12 + 0.5 * Math.log1p(n) / Math.log1p(most)).toFixed(2) });
      add(cell, "title", {}, `${heavy} heavy atoms: ${plural(n, "ligand")}`);
    }
    let over = !all && cells.some(([, bin]) => bin >= 59);
    const clamped = (score) => { over = over || score > low + step * 60; return Math.min(Math.max(score, low), low + step * 60); };
    for (const hit of best)
      add(svg, "circle", { class: "dot", cx: x(hit.heavy), cy: y(clamped(scoreOf(hit))), r: 3 });
    const placed = data.roc?.placed || [];
    for (const [heavy, score] of placed) {
      const cx = x(heavy), cy = y(clamped(score));
      add(svg, "path", { class: "active", d: `M${cx} ${cy - 5}l5 9h-10z` });
    }
    byId("sizes-text").textContent = (all ? "All ligands, the best at the top" : "All ligands, the best at the top, the darker the more; circles: the best hits") +
      (placed.length ? "; triangles: the actives." : ".") + (over ? " What is higher stands at the lower edge." : "") + (ranked ? "" : " Larger ligands have lower energies by size alone.");
  }
  function drawRoc(roc) {
    byId("roc-figure").hidden = false;
    const { svg, x, y } = chart("roc", "ROC curve", [0, 1], [0, 1], "share of other ligands", "share of actives");
    add(svg, "path", { class: "chance", d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}` });
    add(svg, "path", { class: "curve", d: "M" + roc.points.map((p) => `${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}`).join("L") });
    byId("roc-text").textContent = `${plural(roc.actives, "active")} of ${count(roc.ligands)} ligands. ` +
      roc.measures.map(([name, text, size]) => `${name} ${text}${size ? ` against ${size} by size alone` : ""}`.replaceAll(" ", "\u00a0")).join(", ") + `; 95 % confidence by ${count(roc.resamples)} resamples.` + (roc.joined ? ` ${roc.joined}.` : "") +
      (roc.actives < roc.few ? ` With fewer than ${roc.few} actives the intervals are too narrow.` : "") + (roc.coarse ? ` Of few ligands: ${roc.coarse.replaceAll(" %", "\u00a0%")}.` : "") +
      (roc.size ? ` ${roc.size}` : "") +
      (roc.undocked ? ` ${plural(roc.undocked, "active")} without a score ${roc.undocked === 1 ? "is" : "are"} left out (${roc.first_undocked}${roc.undocked > 1 ? " ..." : ""}).` : "");
  }

  // --- Redocking ---
  function drawRedock({ columns, rows }) {
    for (const id of ["distributions", "hits"]) byId(id).hidden = true;
    byId("redocking").hidden = false;
    const at = (name) => columns.indexOf(name), modes = [...new Set(rows.map((row) => row[at("mode")]))];
    byId("redock-text").textContent = modes.map((mode) => {
      const mine = rows.filter((row) => row[at("mode")] === mode);
      return `${mode}: the top pose of ${mine.filter((row) => +row[at("rmsd_top")] < 2).length} of ${mine.length} lies within 2 Å`;
    }).join("; ") + ".";
    drawSuccess(modes.map((mode) => [mode, rows.filter((row) => row[at("mode")] === mode)]), at);
    drawRows("redock", { columns, rows });
  }
  // How many of each mode lie within so many Å, by their top pose and, dashed, by the best of all.
  function drawSuccess(modes, at) {
    const MOST = 5, { svg, x, y } = chart("success", "Success against RMSD", [0, MOST], [0, 1], "RMSD to the crystal pose, at most, Å", "share of complexes");
    let line = 0;
    modes.forEach(([mode, rows], i) => [["rmsd_top", "top pose"], ["rmsd_best", "best of all"]].forEach(([column, what], k) => {
      const values = rows.map((row) => row[at(column)]).filter((text) => text).map(Number).sort((a, b) => a - b).filter((value) => value <= MOST);
      if (!values.length) return;
      const look = { class: `curve mode${i % 3}`, ...(k ? { "stroke-dasharray": "6 4" } : {}) }, low = H - BOTTOM - 12 - 15 * line++;
      add(svg, "path", { ...look, d: `M${x(0)} ${y(0)}` + values.map((value, n) => `H${x(value).toFixed(1)}V${y((n + 1) / rows.length).toFixed(1)}`).join("") + `H${x(MOST)}` });
      add(svg, "path", { ...look, d: `M${x(MOST) - 150} ${low - 4}h24` });
      add(svg, "text", { x: x(MOST) - 120, y: low }, `${mode}, ${what}`);
    }));
  }
  function drawRows(id, { columns, rows, all, file }) {
    if (rows.length < all)
      byId(`${id}-shown`).textContent = `Shown: the first ${count(rows.length)} of ${plural(all, "row")}; all are in ${fileOf(file)}.`;
    const head = add(byId(id).querySelector("thead"), "tr"), body = byId(id).querySelector("tbody");
    for (const name of columns) add(head, "th", { scope: "col" }, name.replaceAll("_", " "));
    for (const row of rows) {
      const line = add(body, "tr");
      row.forEach((text) => add(line, "td", { class: text !== "" && !isNaN(text) ? "number" : "name" }, text));
    }
  }

  // --- A docking to a whole surface ---
  function drawPockets(pockets, agreed) {
    const ligands = new Set(pockets.rows.map((row) => row[0]));
    byId("surface").hidden = false;
    byId("surface-text").textContent = `${plural(data.ligands ?? ligands.size, "ligand")} over the whole receptor: where the poses lie together, ` +
      "by the best score in each pocket. Share: of all searches, how many ended there. The boxes are those of --center_x and --size_x.";
    drawRows("pockets", pockets);
    if (!agreed || ligands.size < 2) return;
    byId("agreed").hidden = false;
    drawRows("agreed", agreed);
  }

  // --- The run ---
  // Single precision written to nine digits: 0.100000001 is 0.1.
  const round = (text) => text.replace(/-?\d+\.\d{7,}/g, (number) => String(+(+number).toPrecision(6)));
  function facts(parent, object, columns = false) { // columns: by the names that the table has
    const list = add(parent, "dl");
    for (const [key, value] of Object.entries(object)) {
      if (value !== null && typeof value === "object") continue;
      add(list, "dt", {}, columns ? key : key.replaceAll("_", " "));
      add(list, "dd", { class: "name" }, round(String(value)));
    }
    return list;
  }
  // The search on maps has numbers of its own; those of a rigid one say nothing then.
  const RIGID = ["poses", "generations", "parents", "exchange", "shift", "turn", "temperature", "distinct", "niche", "soft"];
  function tidy(identity) {
    const { mapped, mapped_shares, mapped_distinct, ...rest } = identity;
    if (!mapped) return identity;
    const [poses, generations, parents, hops, evaluations] = mapped.split(" ");
    for (const key of RIGID) delete rest[key];
    return { ...rest, poses, generations, parents, hops, "descent evaluations": evaluations, "shares of fresh poses, temperature": mapped_shares, distinct: mapped_distinct };
  }
  const listed = (words) => [words.slice(0, -1).join(", "), words[words.length - 1]].filter(Boolean).join(" and ");
  // Of a library, what was lost while it was prepared; a shard's is not known.
  function lostBefore(run, how) {
    return (run?.identity?.shard ?? "1/1") === "1/1" && +run?.files?.[`prepare_${how}`] || 0;
  }
  function drawRun() {
    const parent = byId("facts");
    let run = null;
    try { run = data.run ? JSON.parse(data.run) : null; } catch { add(parent, "p", {}, "run.json cannot be read"); }
    facts(parent, { folder: data.folder, [data.receptor === data.docked_into ? "receptor" : "interactions with"]: data.receptor, scoring: data.scoring, "page made": `${data.made} by berth ${data.berth}` });
    if (!run) return null;
    if (data.methods) add(parent, "p", { class: "methods" }, data.methods);
    for (const [title, part] of [["Run", run], ["This run", run.this_run], ["Files", run.files], ["What determines the results", run.identity && tidy(run.identity)],
      ...(run.devices || []).map((device, i) => [`Device ${i}`, device])]) {
      if (!part) continue;
      add(parent, "h3", {}, title);
      facts(parent, part);
    }
    return run;
  }
  function drawFailures() {
    if (!data.failures.length) return;
    byId("failures").hidden = false;
    const body = byId("failures").querySelector("tbody");
    for (const [reason, n, names] of data.failures) {
      const row = add(body, "tr");
      add(row, "td", { class: "number" }, count(n));
      add(row, "td", { class: "name", style: "max-width: none" }, reason);
      add(row, "td", { class: "name", style: "max-width: none" }, names);
    }
  }

  // --- Kinds of interactions: a letter, a word and a dash each, so that colour is never needed ---
  const KINDS = {
    hydrogen_bond: ["H", "hydrogen bond", "#0072b2", "5 3"], salt_bridge: ["S", "salt bridge", "#d55e00", "1 3"],
    metal: ["M", "metal", "#6a51a3", ""], halogen_bond: ["X", "halogen bond", "#009e73", "8 3 2 3"],
    stacking: ["P", "stacked rings", "#a6761d", "10 4"], stacking_t: ["T", "rings edge to face", "#a6761d", "10 4 2 4"],
    cation_pi: ["C", "cation over ring", "#cc79a7", "6 2 1 2"], hydrophobic: ["h", "hydrophobic", "#888888", "2 5"],
  };
  const kindOf = (item) => KINDS[data.kinds[item[0]]];
  const POLAR = ["H", "S", "M", "X"]; // what the column of that name counts
  const bonds = (hit) => (hit.interactions || []).filter(kindOf); // by kind, in the order above

  // --- Drawings ---
  function molecule(parent, hit) {
    const group = add(parent, "g", { class: "molecule" });
    for (const line of (hit.paths || "").split("\n")) {
      const cut = line.indexOf(" "), look = line.slice(0, cut), width = parseFloat(look);
      if (cut < 0) continue;
      const letters = look[0] === "t" ? line.slice(cut + 1).split(" ") : [];
      for (let i = 0; i + 2 < letters.length; i += 3) add(group, "text", { x: letters[i], y: letters[i + 1], "font-size": look.slice(1) }, letters[i + 2]);
      if (letters.length) continue;
      add(group, "path", { d: line.slice(cut + 1), "stroke-width": width,
        ...(width ? {} : { stroke: "none" }), ...(look.includes("f") ? { class: "f" } : {}),
        ...(look.includes("d") ? { "stroke-dasharray": "2 2" } : {}) });
    }
  }
  function drawing(cell, hit) {
    if (cell.firstChild) return;
    if (hit.paths) molecule(add(cell, "svg", { viewBox: "0 0 260 180", role: "img", "aria-label": hit.smiles || hit.name }), hit);
    else if (hit.picture) add(cell, "img", { src: "data:image/svg+xml," + encodeURIComponent(hit.picture), alt: "" });
  }
  // Bars to the left (they hold the pose) and to the right (they cost).
  function bars(parent, rows, width, rowHeight, labels) {
    const svg = add(parent, "svg", { viewBox: `0 0 ${width} ${rows.length * rowHeight}`, role: "img",
      "aria-label": rows.map(([name, value]) => `${name} ${value}`).join(", ") });
    const most = Math.max(...rows.map((row) => Math.abs(row[1] || 0)), 1e-9);
    const room = labels ? 150 : 0, middle = room + (width - room) * 0.75, left = (middle - room - (labels ? 44 : 2)) / most;
    rows.forEach(([name, value], i) => {
      const length = Math.min(Math.abs(value || 0) * left, value > 0 ? width - middle - 2 : 1e9), y = i * rowHeight;
      const bar = add(svg, "rect", { class: value > 0 ? "bar" : "hit", x: value > 0 ? middle : middle - length, y: y + 1, width: length,
        height: Math.max(rowHeight - 2, 2) });
      add(bar, "title", {}, `${name} ${value}`);
      if (!labels) return;
      add(svg, "text", { x: 0, y: y + rowHeight - 4 }, name);
      add(svg, "text", { x: (value > 0 ? middle : middle - length) - 4, y: y + rowHeight - 4, "text-anchor": "end" }, show(value, 2));
    });
    add(svg, "path", { class: "axis", d: `M${middle} 0V${rows.length * rowHeight}` });
  }
  const termsOf = (hit) => data.terms.map((name, i) => [name.replaceAll("_", " "), hit.terms[i]]).filter((row) => known(row[1]));

  // --- The flat drawing of what holds a pose ---
  const placesOf = (hit) => new Map((hit.places || "").split("\n").map((line) => { const [n, x, y] = line.split(" "); return [n, [+x * 1.4 + 118, +y * 1.4 + 94]]; }));
  // Where the molecule is drawn: its atoms' letters, and points along its bonds.
  function inkOf(hit) {
    const places = placesOf(hit), ink = [];
    hit.atoms.forEach((atom, i) => { const at = places.get(`${i + 1}`); if (at && atom[0] !== "C") ink.push([...at, TEXT[0] + 14, TEXT[1] + 12, 3]); });
    for (const [a, b] of hit.bonds) {
      const [from, to] = [a, b].map((i) => places.get(`${i + 1}`));
      if (from && to) for (const part of [0, 0.25, 0.5, 0.75, 1]) ink.push([...[0, 1].map((k) => from[k] * part + to[k] * (1 - part)), ...TEXT, 0.2]);
    }
    return ink;
  }
  function anchorsOf(hit) {
    const places = placesOf(hit);
    const residues = new Map();
    for (const item of bonds(hit)) {
      const points = item[3].split(" ").map((atom) => places.get(atom.replace(/^[A-Za-z*]+/, ""))).filter(Boolean);
      if (!points.length) continue;
      const anchor = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
      if (!residues.has(item[1])) residues.set(item[1], []);
      residues.get(item[1]).push({ item, anchor });
    }
    return residues;
  }
  // Of texts of the flat drawing their size, and half the width and height of a distance; a phone shows the drawing small.
  const NARROW_SCREEN = matchMedia("(max-width: 40rem)").matches, SIZE = NARROW_SCREEN ? 17 : 11, TEXT = NARROW_SCREEN ? [32, 13] : [21, 9];
  const ruler = document.createElement("canvas").getContext("2d");
  const widthOf = (text) => { ruler.font = `600 ${SIZE}px system-ui, sans-serif`; return ruler.measureText(text).width; };
  function flat(parent, hit) {
    if (!hit.paths || !hit.interactions) return;
    const svg = add(parent, "svg", { class: "flat", style: `font-size: ${SIZE}px`, role: "img", "aria-label": "Flat drawing of the interactions" });
    const labels = [...anchorsOf(hit)].map(([residue, ends]) => {
      const x = ends.reduce((s, e) => s + e.anchor[0], 0) / ends.length - 300, y = ends.reduce((s, e) => s + e.anchor[1], 0) / ends.length - 220;
      return { residue, ends, angle: Math.atan2(y / 150, x / 240) };
    });
    const [, bonded, by] = /^(.*) (\S+)$/.exec(run?.identity?.covalent || "") || [], root = hit.root && placesOf(hit).get(`${hit.root}`);
    if (bonded && root) labels.push({ residue: bonded, ends: [], root, angle: Math.atan2((root[1] - 220) / 150, (root[0] - 300) / 240) });
    layout.spread(labels);
    const high = SIZE * 0.86, ink = inkOf(hit);
    for (const label of labels) label.box = [...layout.onRing(label.angle), Math.max(widthOf(label.residue) / 2 + 8, 42), high];
    layout.apart(labels.map((label) => label.box), ink);
    const edges = [0, 1].map((k) => [Math.min(0, ...labels.map(({ box }) => box[k] - box[k + 2] - 4)), Math.max([600, 440][k], ...labels.map(({ box }) => box[k] + box[k + 2] + 4))]);
    svg.setAttribute("viewBox", [edges[0][0], edges[1][0], ...edges.map(([low, most]) => most - low)].map((edge) => edge.toFixed(1)).join(" "));
    const numbers = [], taken = [...ink, ...labels.map(({ box: [x, y, w, h] }) => [x, y, w + TEXT[0], h + TEXT[1], 9])]; // numbers keep clear of these
    for (const { residue, ends, root, box: [x, y, wide] } of labels) {
      if (root) { // the residue's bond to its own side chain, which the drawing holds from CA on
        add(add(svg, "path", { d: `M${x} ${y}L${root[0]} ${root[1]}`, stroke: "var(--ink)", "stroke-width": 3 }), "title", {}, `the ligand is bonded to ${by} of ${residue}, which is drawn from CA on`);
        const at = layout.clearest(layout.beside([x, y], root), taken);
        taken.push([...at, 2 * TEXT[0], 2 * TEXT[1], 9]);
        numbers.push({ at, text: `bond by ${by}` });
      }
      for (const { item, anchor } of ends) {
        const [letter, word, color, dash] = kindOf(item);
        add(add(svg, "path", { d: `M${x} ${y}L${anchor[0]} ${anchor[1]}`, stroke: color, "stroke-dasharray": dash,
          "stroke-width": letter === "h" || item[7] ? 1 : 2, opacity: item[7] ? 0.7 : 1 }), "title", {}, `${word} ${residue} ${item[2]} – ${item[3]}: ${item[4].toFixed(2)} Å`);
        const same = numbers.find((number) => number.anchor?.join() === anchor.join() && number.residue === residue && number.letter === letter);
        if (same) same.text += `, ${item[4].toFixed(1)}`; // along one line
        else if (letter !== "h") {
          const at = layout.clearest(layout.beside([x, y], anchor), taken);
          taken.push([...at, 2 * TEXT[0], 2 * TEXT[1], 9]);
          numbers.push({ at, anchor, residue, letter, text: `${letter} ${item[4].toFixed(1)}` });
        }
      }
      const polar = root || ends.some((end) => kindOf(end.item)[0] !== "h");
      add(svg, "rect", { x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx: high, fill: "var(--paper)", stroke: polar ? "var(--good)" : "var(--line)" });
      add(svg, "text", { x, y: y + SIZE * 0.36, "text-anchor": "middle", "font-weight": polar ? 600 : 400 }, residue);
    }
    molecule(add(svg, "g", { transform: "translate(118 94) scale(1.4)" }), hit);
    saver(parent, svg, `${hit.name} ${hit.mode ?? ""}`.trim());
    for (const { at, text } of numbers) add(svg, "text", { class: "halo", x: at[0], y: at[1] + SIZE * 0.36, "text-anchor": "middle" }, text);
  }

  // --- The pose in its pocket, in space: sticks, drawn from back to front ---
  const COLORS = { N: "#3050f8", O: "#d62020", S: "#b08a00", P: "#e07800", F: "#2a9d2a", Cl: "#2a9d2a", Br: "#8a3a1a", I: "#6a0dad" };
  const pocket = data.pocket;
  function scene(hit) {
    const parts = [], lines = [], labels = [], shown = ([a, b], atoms) => [a, b].every((i) => atoms[i][0] !== "H" || touches(atoms, a, b));
    // Hydrogens on carbon say nothing.
    const touches = (atoms, a, b) => ![a, b].some((i) => atoms[i][0] === "C");
    const sticks = (atoms, bonds, carbon, width) => bonds.filter((bond) => shown(bond, atoms)).forEach(([a, b]) => {
      const middle = [1, 2, 3].map((k) => (atoms[a][k] + atoms[b][k]) / 2);
      for (const i of [a, b]) parts.push([atoms[i].slice(1, 4), middle, COLORS[atoms[i][0]] || (atoms[i][0] === "H" ? "var(--soft)" : carbon), width]);
    });
    const met = new Set((hit.interactions || []).map((item) => item[1])), mine = pocket.atoms.map((atom) => met.has(pocket.residues[atom[4]]));
    sticks(pocket.atoms, pocket.bonds.filter(([a, b]) => mine[a] && mine[b]), "var(--soft)", 0.16);
    sticks(hit.atoms, hit.bonds, "var(--good)", 0.32);
    const center = (atoms) => atoms.length && [1, 2, 3].map((k) => atoms.reduce((sum, atom) => sum + atom[k], 0) / atoms.length);
    for (const item of bonds(hit)) {
      if (kindOf(item)[0] === "h") continue;
      const names = item[2].split(" "), from = center(pocket.atoms.filter((atom) => pocket.residues[atom[4]] === item[1] && names.includes(atom[5])));
      const to = center(item[3].split(" ").map((atom) => hit.atoms[atom.replace(/^[A-Za-z*]+/, "") - 1]).filter(Boolean));
      if (from && to) lines.push([from, to, kindOf(item)[2], item[4].toFixed(1), item[7] ? 1 : 2.4, item[1]]);
    }
    for (const residue of met) {
      const own = pocket.atoms.filter((atom) => pocket.residues[atom[4]] === residue);
      const at = own.find((atom) => atom[5] === "CB") || own.find((atom) => atom[5] === "CA") || own[0];
      const ends = lines.filter((line) => line[5] === residue).map(([from]) => from); // its side of what it makes, else the residue itself
      labels.push([residue, ends.length > 0, ends.length ? ends : [at.slice(1, 4)]]);
    }
    const balls = data.restraints.flatMap((restraint, i) => restraint.how !== "metal" && known(hit.restraints?.[i]?.[0]) ? restraint.places.map((at, k) => [at,
      Math.min(restraint.radius, restraint.places.length > 4 ? 0.3 : 9), hit.restraints[i][1], k ? "" : `${i + 1}: ${show(hit.restraints[i][0], 1)}`]) : []);
    const heavy = hit.atoms.filter((atom) => atom[0] !== "H"), middle = center(heavy);
    const reach = Math.max(...heavy.map((atom) => Math.hypot(...middle.map((m, k) => atom[k + 1] - m)))) + 3.5;
    // Points along the ligand's sticks, which no text covers.
    const ligand = hit.bonds.filter((bond) => shown(bond, hit.atoms)).flatMap(([a, b]) => [0, 0.25, 0.5, 0.75, 1].map((part) =>
      [1, 2, 3].map((k) => hit.atoms[a][k] * part + hit.atoms[b][k] * (1 - part))));
    return { parts, lines, labels, balls, ligand, middle, reach, axes: layout.principal(heavy, middle) };
  }
  function space(parent, hit) {
    if (!pocket || !hit.atoms || !hit.interactions) return;
    const canvas = add(parent, "canvas", { class: "space", tabindex: 0, role: "img", "aria-label": `${hit.name} in its pocket` });
    const bar = add(parent, "p", { class: "spacebar" }, "drag turns, the wheel and + − zoom, l labels ");
    const { parts, lines, labels, balls, ligand, middle, reach, axes } = scene(hit);
    let [m, zoom, named] = [axes, 1, true];
    const turn = (i, k, angle) => { const c = Math.cos(angle), s = Math.sin(angle), row = m.map((axis) => [...axis]);
      for (let j = 0; j < 3; j++) { row[i][j] = c * m[i][j] - s * m[k][j]; row[k][j] = s * m[i][j] + c * m[k][j]; } m = row; };
    const color = (text) => (text.startsWith("var") ? getComputedStyle(canvas).getPropertyValue(text.slice(4, -1)) : text);
    function draw(scale = devicePixelRatio || 1) {
      const w = canvas.clientWidth, h = canvas.clientHeight, pen = canvas.getContext("2d"), size = (Math.min(w, h * 1.3) / 2 / reach) * zoom;
      canvas.width = w * scale;
      canvas.height = h * scale;
      pen.scale(scale, scale);
      pen.fillStyle = color("var(--paper)");
      pen.fillRect(0, 0, w, h);
      pen.lineCap = "round";
      const put = (at) => { const d = at.map((x, k) => x - middle[k]), [x, y, z] = m.map((axis) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
        return [w / 2 + x * size, h / 2 - y * size, z]; };
      // What is behind comes near the paper's colour.
      const fog = (z) => Math.min(1, Math.max(0.12, 0.7 + z / reach / 1.4));
      const rgb = (look) => { pen.fillStyle = look; return [1, 3, 5].map((i) => parseInt(pen.fillStyle.slice(i, i + 2), 16)); };
      const paper = rgb(color("var(--paper)")), seen = new Map();
      const mix = (look, part) => { if (!seen.has(look)) seen.set(look, rgb(look)); return `rgb(${seen.get(look).map((c, k) => Math.round(c * part + paper[k] * (1 - part))).join(" ")})`; };
      const stroke = (a, b, look, width, dash) => { pen.strokeStyle = mix(look, fog((a[2] + b[2]) / 2)); pen.lineWidth = width; pen.setLineDash(dash);
        pen.beginPath(); pen.moveTo(a[0], a[1]); pen.lineTo(b[0], b[1]); pen.stroke(); };
      const all = [...parts.map(([a, b, look, width]) => [put(a), put(b), color(look), width * size, []]), ...lines.map(([a, b, look, , width]) => [put(a), put(b), look, width, [5, 4]])];
      all.sort((p, q) => p[0][2] + p[1][2] - q[0][2] - q[1][2]).forEach((part) => stroke(...part));
      for (const [at, radius, met] of balls) { // of restraints: whole where they are met, dashed where not
        const [x, y, z] = put(at);
        pen.strokeStyle = mix(color(met ? "var(--good)" : met === null ? "var(--soft)" : "var(--bad)"), fog(z)); pen.lineWidth = 1.5; pen.setLineDash(met ? [] : [4, 4]);
        pen.beginPath(); pen.arc(x, y, radius * size, 0, 2 * Math.PI); pen.stroke();
      }
      pen.setLineDash([]);
      pen.textAlign = "center";
      const font = (bold) => { pen.font = `${bold ? "600 " : ""}${w < 500 ? 11 : 12}px system-ui, sans-serif`; };
      const write = ([x, y, z], text, bold) => { font(bold);
        pen.strokeStyle = color("var(--paper)"); pen.lineWidth = 3; pen.strokeText(text, x, y + 4); pen.fillStyle = mix(color("var(--ink)"), Math.max(fog(z) * 0.8, bold ? 1 : 0.3)); pen.fillText(text, x, y + 4); };
      // A text stands at the first of its places where it touches neither another nor the ligand, a residue's nearest to its own ends of
      // bonds, if that can be, and away from these at the end of a line; with none it is left out, but for a distance, which then lies on
      // the ligand.
      const taken = [], inked = ligand.map(put), bonded = lines.map(([a, , , , , residue]) => [residue, put(a)]);
      const label = (places, text, bold, own, needed) => { font(bold);
        const wide = pen.measureText(text).width / 2 + 3, free = places.filter(([x, y]) => x > wide && x < w - wide && y > 8 && y < h - 8 &&
          taken.every(([u, v, half]) => Math.abs(x - u) > wide + half || Math.abs(y - v) > 14));
        const clear = free.filter(([x, y]) => inked.every(([u, v]) => Math.abs(x - u) > wide + size * 0.16 || Math.abs(y - v) > 8 + size * 0.16));
        const off = ([x, y], [u, v]) => Math.hypot(Math.max(0, Math.abs(x - u) - wide), Math.max(0, Math.abs(y - v) - 7));
        const nearest = (place) => own.reduce((best, end) => (off(place, end) < off(place, best) ? end : best));
        const stands = (place) => !own || bonded.every(([residue, end]) => off(place, end) > 3 && (residue === text || off(place, nearest(place)) < off(place, end)));
        const place = clear.find(stands) || clear[0] || (needed && free[0]), at = place && own && nearest(place);
        if (!place) return;
        taken.push([place[0], place[1], wide]);
        if (at && (off(place, at) > 12 || !stands(place))) stroke(at, [place[0], place[1], at[2]], color("var(--soft)"), 1, []);
        write([place[0], place[1], at ? at[2] : 0], text, bold); };
      // Ever farther away, first from the middle on.
      const around = ([x, y], steps) => { const long = Math.hypot(x - w / 2, y - h / 2) || 1, ways = [[(x - w / 2) / long, (y - h / 2) / long], [0, 1], [0, -1], [1, 0], [-1, 0]];
        return [0, 14, 24, 36, 50, 66, 84].slice(0, steps).flatMap((far) => ways.map(([u, v]) => [x + u * far * 1.5, y + v * far])); };
      for (const [at, , , text] of balls) if (text) label(around(put(at), 7), text, true, null);
      for (const [a, b, , text] of lines) { const ends = [put(a), put(b)]; label([...layout.beside(...ends), ...around([0, 1].map((k) => (ends[0][k] + ends[1][k]) / 2), 3)], text, true, null, true); }
      if (named) for (const [text, bold, own] of labels.map(([text, bold, ends]) => [text, bold, ends.map(put)]).sort((p, q) => q[1] - p[1] || q[2][0][2] - p[2][0][2]))
        label(own.flatMap((end) => around(end, bold ? 7 : 2)), text, bold, own);
    }
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointerup", () => { last = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      turn(0, 2, (event.clientX - last[0]) / 120);
      turn(2, 1, (event.clientY - last[1]) / 120);
      last = [event.clientX, event.clientY];
      draw();
    });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom *= Math.exp(-event.deltaY / 600); draw(); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const act = { ArrowLeft: () => turn(0, 2, -0.15), ArrowRight: () => turn(0, 2, 0.15), ArrowUp: () => turn(2, 1, -0.15), ArrowDown: () => turn(2, 1, 0.15),
        "+": () => { zoom *= 1.15; }, "-": () => { zoom /= 1.15; }, l: () => { named = !named; } }[event.key];
      if (!act) return;
      act();
      draw();
      event.preventDefault();
      event.stopPropagation();
    });
    add(bar, "button", { type: "button", class: "save", title: "Save this view" }, "PNG").addEventListener("click", () => {
      draw(3);
      canvas.toBlob((blob) => { saveFile(`${hit.name} ${hit.mode ?? ""}`.trim() + ".png", blob, "image/png"); draw(); });
    });
    new ResizeObserver(() => draw()).observe(canvas);
  }

  // --- A card ---
  const UNITS = { conformer_strain: "kJ/mol", clash: "Å", rmsd: "Å" }; // the others' are the function's, or none
  function card(cell, hit) {
    const columns = add(cell, "div", { class: "columns" }), main = add(columns, "div", { class: "main" });
    const side = add(columns, "div", { class: "side" });
    flat(main, hit);
    space(main, hit);
    if (bonds(hit).length) {
      const box = add(side, "div");
      add(box, "h3", {}, "Interactions");
      const table = add(box, "table"), head = add(add(table, "thead"), "tr"), body = add(table, "tbody");
      for (const title of ["", "kind", "residue", "atom", "ligand", "Å", "°"]) add(head, "th", { scope: "col", class: title ? "" : "roomy" }, title);
      for (const item of bonds(hit)) {
        const row = add(body, "tr"), [letter, word] = kindOf(item);
        const gives = data.kinds[item[0]] === "hydrogen_bond" ? (item[6] ? ", donor: ligand" : ", donor: residue") : "";
        for (const text of [letter, word + gives, item[1], item[2], item[3]]) add(row, "td", { class: text === letter ? "roomy" : text === item[1] ? "whole" : "" }, text);
        if (item[7]) row.className = "weak";
        add(row, "td", { class: "number" }, show(item[4], 2));
        add(row, "td", { class: "number" }, show(item[5], 0));
      }
    }
    if (hit.restraints) {
      const box = add(side, "div");
      add(box, "h3", {}, "Restraints");
      const table = add(box, "table"), head = add(add(table, "thead"), "tr"), body = add(table, "tbody");
      for (const title of ["", "restraint", "", "within Å", "Å", "met"]) add(head, "th", { scope: "col" }, title);
      hit.restraints.forEach(([distance, met], i) => {
        const { text, how, radius, avoided } = data.restraints[i], row = add(body, "tr");
        const metal = how === "metal";
        for (const cell of [i + 1, text, metal ? "" : avoided ? `${how}, avoided` : how]) add(row, "td", {}, String(cell));
        for (const value of [radius, distance]) add(row, "td", { class: "number" }, show(value, 2));
        add(row, "td", { class: met === false && !metal ? "flags" : "flags fine" },
          metal ? (met ? "taken" : met === null || !known(distance) ? "does not apply" : "not taken") : met ? "✓" : met === null ? "does not apply" : known(distance) ? "✗" : "✗ has nothing for it");
      });
      add(box, "p", {}, `Met within a tolerance of ${data.tolerance} Å.`);
    }
    const under = add(main, "div", { class: "columns" });
    if ((hit.shares || []).length) {
      const box = add(under, "div", { class: "shares" });
      add(box, "h3", {}, `What each residue contributes${unit}`);
      bars(box, hit.shares, 330, 17, true);
    }
    const box = add(under, "div", { class: "shares" });
    if (termsOf(hit).length) {
      add(box, "h3", {}, `Terms of the energy${unit}`);
      bars(box, termsOf(hit), 330, 17, true);
    }
    const list = Object.fromEntries(hit.figures.map(([name, text]) => [name + (UNITS[name] ? ` (${UNITS[name]})` : ""), text]));
    if (hit.wrong) list["PoseBusters’ checks"] = hit.wrong.length ? "fails " + hit.wrong.join(", ").replaceAll("_", " ") : "passes";
    const near = (hit.interactions || []).filter((item) => data.kinds[item[0]] === "contact").map((item) => item[1]);
    if (near.length) list["residues within 4 Å"] = whole(near.join(", "));
    const figures = add(side, "div");
    add(figures, "h3", {}, "All figures");
    facts(figures, list, true);
    if (hit.smiles) add(cell, "p", { class: "smiles" }, hit.smiles);
  }

  /* Residues whose names and places are not broken apart. */
  function whole(residues) { return residues.replaceAll(/(\w) (?=\w)/g, "$1\u00a0"); }

  // --- The table ---
  const COLUMNS = [
    { key: "place", title: "#", number: 0 }, { title: "", drawing: true }, { key: "name", title: "ligand" }, { key: "mode", title: "mode", number: 0 },
    { key: "ranking", title: "ranking", number: 2 }, { key: "pose_ranking", title: "pose ranking", number: 2 }, { key: "confidence", title: "confidence", number: 2 }, { key: "score", title: "score", number: 2 }, { key: "energy", title: "energy", number: 2 }, { title: "terms", terms: true },
    { key: "efficiency", title: "per atom", number: 3 }, { key: "heavy", title: "atoms", number: 0 }, { key: "rotors", title: "rotors", number: 1 },
    { key: "strain", title: "strain", number: 2 }, { key: "clash", title: "clash", number: 2 }, { key: "rmsd", title: "rmsd", number: 2 },
    { key: "unmet", title: "unmet", number: 0 }, { key: "polar", title: "polar", number: 0 }, { key: "near", title: "interacts with" }, { key: "checks", title: "checks", flags: true },
  ];
  hits.sort((a, b) => scoreOf(a.first) - scoreOf(b.first) || a.first.at - b.first.at || a.mode - b.mode || a.at - b.at);
  hits.forEach((hit, i) => {
    hit.place = known(hit.rank) ? hit.rank : i + 1;
    hit.polar = hit.interactions ? bonds(hit).filter((item) => POLAR.includes(kindOf(item)[0])).length : null;
    hit.near = hit.interactions ? [...new Set(bonds(hit).map((item) => item[1]))].join(", ") || "none" : null;
    hit.checks = hit.wrong ? hit.wrong.length : null;
    hit.words = [hit.name, hit.smiles, ...(hit.interactions || []).map((item) => item[1]), ...(hit.wrong || [])].join(" ").toLowerCase();
  });
  const several = hits.some((hit) => hit.first !== hit); // poses of a ligand
  const columns = COLUMNS.filter((column) => (column.drawing ? hits.some((hit) => hit.paths || hit.picture)
    : column.key === "mode" ? several : column.key === "unmet" ? hits.some((hit) => hit.unmet > 0) : column.terms ? data.terms.length : hits.some((hit) => known(hit[column.key]) && hit[column.key] !== "")));
  const NARROW = ["place", "name", "mode", "pose_ranking", "score", ranks]; // what a phone has room for; cards have the rest
  const body = byId("table").querySelector("tbody");
  let sorted = { key: several ? "place" : ranked ? ranks : "score", down: false }, visible = [];

  const lazy = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { fill(entry.target); lazy.unobserve(entry.target); }
  }, { rootMargin: "600px" });
  function fill(row) {
    for (const cell of row.children) {
      if (cell.classList.contains("drawing")) drawing(cell, row.hit);
      if (cell.classList.contains("terms") && !cell.firstChild && termsOf(row.hit).length) bars(cell, termsOf(row.hit), 126, 44 / termsOf(row.hit).length, false);
    }
  }
  // What stands under a ligand's name.
  function remarks(hit) {
    const open = +hit.tags.get("open_stereo");
    return [hit.same && [`same as ${hit.same.name}` + (hit.same.name === hit.name ? `, rank ${hit.same.place}` : ""), "both have these canonical SMILES once prepared"],
      open && [`${plural(open, "open stereocentre")} or double bond${open === 1 ? "" : "s"}, drawn as docked`, "the input leaves them open; the seed chose"]].filter(Boolean);
  }
  function rowOf(hit) {
    if (hit.row) return hit.row;
    const row = hit.row = document.createElement("tr");
    row.className = "hit";
    row.tabIndex = -1;
    row.hit = hit;
    row.setAttribute("aria-expanded", "false");
    for (const column of columns) {
      const value = hit[column.key];
      if (column.drawing || column.terms) add(row, "td", { class: column.drawing ? "drawing" : "terms" });
      else if (column.flags) add(row, "td", { class: value ? "flags" : "flags fine", title: (hit.wrong || []).join(", ") },
        known(value) ? (value ? `✗ ${value}` : "✓") : "");
      else if (column.key === "name") {
        const cell = add(row, "td", { class: column.key });
        addName(cell, (value || "") + (hit.active ? "\u00a0†" : ""));
        for (const [text, title] of remarks(hit)) addName(add(cell, "small", { title }), text);
      }
      else if (column.key === "near") {
        const residues = (value || "").split(", "), rest = residues.splice(5); // as many as a row has room for
        add(row, "td", { class: column.key, ...(rest.length ? { title: rest.join(", ") } : {}) }, whole(residues.join(", ")) + (rest.length ? `, +${rest.length}` : ""));
      }
      else add(row, "td", { class: "number" }, show(value, column.number));
      row.lastChild.classList.toggle("roomy", !NARROW.includes(column.key) && !column.drawing);
    }
    lazy.observe(row);
    return row;
  }
  function toggle(row, open = row.getAttribute("aria-expanded") !== "true") {
    row.setAttribute("aria-expanded", String(open));
    row.classList.toggle("open", open);
    if (!open) { row.card?.remove(); return; }
    if (!row.card) {
      row.card = document.createElement("tr");
      row.card.className = "card";
      card(add(row.card, "td", { colspan: columns.length }), row.hit);
    }
    row.after(row.card);
  }

  // --- Filter: words, and comparisons of columns, with "and" between ---
  const NAMES = { atoms: "heavy", heavy_atoms: "heavy", rank: "place" };
  const COMPARE = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b };
  function parse(text) {
    return text.trim().split(/\s+and\s+|\s*&&\s*/i).filter(Boolean).map((part) => {
      const found = /^([a-z_][a-z0-9_]*)\s*(<=|>=|!=|<|>|=)\s*(-?\d*\.?\d+)$/i.exec(part.trim());
      if (!found) return /[<>]/.test(part) ? null : (hit) => hit.words.includes(part.trim().toLowerCase());
      const key = NAMES[found[1].toLowerCase()] || found[1].toLowerCase(), term = data.terms.indexOf(key), limit = +found[3];
      if (term < 0 && !hits.some((hit) => typeof hit[key] === "number")) return null;
      return (hit) => { const value = term < 0 ? hit[key] : hit.terms[term]; return known(value) && COMPARE[found[2]](value, limit); };
    });
  }
  function update() {
    const tests = parse(byId("filter").value), good = !tests.includes(null);
    byId("filter").classList.toggle("wrong", !good);
    if (!good) { byId("count").textContent = "a comparison is a column’s name, <, <=, >, >=, = or !=, and a number"; return; }
    visible = hits.filter((hit) => tests.every((test) => test(hit)));
    const sign = sorted.down ? -1 : 1;
    visible.sort((a, b) => {
      const x = a[sorted.key], y = b[sorted.key];
      if (!known(x) || !known(y)) return known(y) - known(x);
      return (typeof x === "string" ? x.localeCompare(y) : x - y) * sign || a.place - b.place;
    });
    body.replaceChildren(...visible.flatMap((hit) => { const row = rowOf(hit); return row.classList.contains("open") ? [row, row.card] : [row]; }));
    if (visible.length) visible[0].row.tabIndex = 0;
    byId("count").textContent = `${count(visible.length)} of ${plural(hits.length, several ? "pose" : "hit")}`;
  }
  function drawHead() {
    const head = add(byId("table").querySelector("thead"), "tr");
    for (const column of columns) {
      const cell = add(head, "th", { scope: "col", class: known(column.number) ? "number" : "" });
      cell.classList.toggle("roomy", !NARROW.includes(column.key) && !column.drawing);
      cell.dataset.title = column.title; // paper: browsers repeat no buttons on further pages
      if (!column.key) { cell.textContent = column.title; continue; }
      add(cell, "button", { type: "button" }, column.title).addEventListener("click", () => {
        sorted = { key: column.key, down: sorted.key === column.key && !sorted.down };
        for (const other of head.children) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
        update();
      });
      if (column.key === sorted.key) cell.setAttribute("aria-sort", "ascending");
    }
  }
  function save() {
    const keys = columns.filter((column) => column.key).map((column) => column.key);
    const field = (value) => { const text = known(value) ? String(value) : "";
      const safe = /^[=+\-@\t\r\n']/.test(text) && isNaN(text) ? "'" + text : text;
      return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe; };
    const lines = [[...keys, "smiles"], ...visible.map((hit) => [...keys, "smiles"].map((key) => hit[key]))].map((row) => row.map(field).join(","));
    saveFile("hits.csv", lines.join("\n") + "\n", "text/csv");
  }
  function focusRow(hit) {
    if (!hit) return;
    for (const other of visible) other.row.tabIndex = -1;
    hit.row.tabIndex = 0;
    hit.row.focus({ preventScroll: true });
    hit.row.scrollIntoView({ block: "nearest" });
  }
  function listen() {
    byId("filter").addEventListener("input", update);
    byId("save").addEventListener("click", save);
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr.hit");
      if (row) { focusRow(row.hit); toggle(row); }
    });
    document.addEventListener("keydown", (event) => {
      const writing = event.target.matches("input, textarea"), at = visible.findIndex((hit) => hit.row === document.activeElement);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") { byId("filter").blur(); focusRow(visible[Math.max(at, 0)]); }
      else if (writing) return;
      else if (event.key === "/") byId("filter").focus();
      else if (step && (at >= 0 || event.key.length === 1)) focusRow(visible[Math.min(Math.max(at + step, 0), visible.length - 1)]);
      else if (event.key === "Enter" && at >= 0) toggle(visible[at].row);
      else return;
      event.preventDefault();
    });
    addEventListener("beforeprint", () => visible.forEach((hit) => fill(hit.row)));
  }

  const run = drawRun();
  const target = fileOf(data.made_from || data.docked_into), judges = (run?.identity?.functions || data.scoring || "").split(" ");
  // What of the run's functions and models an expression that ranks has: the first function is what score and energy are of.
  function ranking(identity) {
    const has = (name) => new RegExp(`\\b${name}\\b`).test(identity.rank_ligands || "score");
    const learned = (identity.learned || "").split(" ").filter(Boolean);
    return listed([...judges.filter((name, i) => has(name) || (!i && (has("score") || has("energy")))), ...learned.filter(has)]);
  }
  // What orders the poses of a ligand, where that is something else.
  function posed(identity) {
    const by = listed(judges.filter((name) => new RegExp(`\\b${name}\\b`).test(identity.rank_poses || "")));
    return by && by !== ranking(identity) ? ` (poses by ${by})` : "";
  }
  document.title = `berth: ${target || data.folder}`;
  byId("title").textContent = target ? `Docking into ${target}` : `Docking in ${data.folder}`;
  byId("summary").textContent = [known(data.ligands) && `${plural(data.ligands, "ligand")} docked`, data.failed ? `${count(data.failed)} failed` : !lostBefore(run, "failed") && "none failed", data.dropped && `${count(data.dropped)} dropped`,
    ...["failed", "dropped"].map((how) => lostBefore(run, how) && `${count(lostBefore(run, how))} ${how} in preparing`),
    data.scoring && (judges.length > 1 ? `searched by ${listed((run.identity.pool || judges[0]).split(","))}, ranked by ${ranking(run.identity) || run.identity.rank_ligands}${posed(run.identity)}` : !run && ranked ? `ordered by the poses’ own ${ranks.replace("_", " ")}` : `scored by ${data.scoring}`),
    run?.this_run && `${show(run.this_run.seconds, 0)} s, ${run.this_run.ligands_per_second.toPrecision(3)} ligands a second`,
    run?.finished].filter(Boolean).join(" · ");
  byId("distributions").hidden = data.ligands === 1;
  if (data.ligands !== 1) {
    if (data.histogram) drawHistogram(data.histogram);
    if (data.sizes) drawSizes(data.sizes);
    if (data.roc) drawRoc(data.roc);
  }
  if (data.redock) drawRedock(data.redock);
  if (data.pockets) drawPockets(data.pockets, data.agreed);
  for (const svg of document.querySelectorAll("figure svg[viewBox]")) saver(svg.parentElement.querySelector("figcaption"), svg, svg.id);
  drawFailures();
  drawHead();
  update();
  listen();
  byId("hits-shown").textContent = [
    some && `Shown: ${several && perLigand ? `${plural(hits.length, "pose")} of the best ${count(placed)}` : `the best ${count(placed)}`} of ${plural(data.rows, perLigand ? "ligand" : "pose")}; all are in ${fileOf(data.table)}.`,
    several && `Ordered by ${ranks.replace("_", " ")} of each ligand’s best pose; a ligand’s poses by ${hits.some((hit) => known(hit.pose_ranking)) ? "pose ranking" : "mode"}, best first.`,
  ].filter(Boolean).join(" ");
  byId("legend").textContent = (hits.some((hit) => hit.active) ? "† known active. " : "") + Object.values(KINDS).map(([letter, word]) => `${letter} ${word}`).join(" · ") +
    `. The column polar counts ${POLAR.join(", ")}. Hydrogen bonds longer than 3.5 Å or bent to less than 120° are thin. Bars to the left hold the pose, bars to the right cost. Checks are PoseBusters’ but for the internal energy.`;
})();
