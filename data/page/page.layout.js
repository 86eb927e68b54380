"use strict";
// Where things of the page's drawings stand: numbers alone, no elements.
const layout = (() => {
  // --- The flat drawing ---
  const MIDDLE = [300, 220];
  const onRing = (angle) => [MIDDLE[0] + 248 * Math.cos(angle), MIDDLE[1] + 196 * Math.sin(angle)];
  // Angles that keep room between them.
  function spread(labels) {
    const gap = (2 * Math.PI) / Math.max(labels.length, 18);
    labels.sort((a, b) => a.angle - b.angle);
    for (let pass = 0; pass < 60; pass++)
      labels.forEach((label, i) => {
        const next = labels[(i + 1) % labels.length];
        const apart = next.angle - label.angle + (i + 1 === labels.length ? 2 * Math.PI : 0);
        if (labels.length > 1 && apart < gap) { label.angle -= (gap - apart) / 2; next.angle += (gap - apart) / 2; }
      });
  }
  // Boxes, [x, y, half a width, half a height], go apart until none lies on another or on points of the molecule; from those they go outwards.
  function apart(boxes, ink) {
    for (let pass = 0, moved = true; moved && pass < 400; pass++) {
      moved = false;
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          const over = [0, 1].map((k) => a[k + 2] + b[k + 2] + 4 - Math.abs(a[k] - b[k])), k = over[0] < over[1] ? 0 : 1;
          if (over[0] <= 0 || over[1] <= 0) continue;
          const step = ((a[k] < b[k] ? -1 : 1) * (over[k] + 0.1)) / 2;
          a[k] += step;
          b[k] -= step;
          moved = true;
        }
        if (!ink.some(([x, y]) => Math.abs(x - a[0]) < a[2] + 6 && Math.abs(y - a[1]) < a[3] + 6)) return;
        const long = Math.hypot(a[0] - MIDDLE[0], a[1] - MIDDLE[1]) || 1;
        for (const k of [0, 1]) a[k] += (5 * (a[k] - MIDDLE[k])) / long;
        moved = true;
      });
    }
  }
  // Where along its line a distance may stand.
  const ALONG = [0.5, 0.55, 0.45, 0.6, 0.4, 0.65, 0.35, 0.7, 0.3, 0.75, 0.25, 0.8, 0.2];
  // On the line between two points, and, if need be, to its sides.
  function beside([x, y], [u, v]) {
    const long = Math.hypot(u - x, v - y) || 1;
    return [0, 13, -13].flatMap((off) => ALONG.map((part) => [x * part + u * (1 - part) + (off * (v - y)) / long, y * part + v * (1 - part) - (off * (u - x)) / long]));
  }
  // Of places the one that least is on: [x, y, half a width, half a height, weight].
  function clearest(places, taken) {
    const cost = ([x, y]) => taken.reduce((sum, [u, v, w, h, weight = 1]) => sum + (Math.abs(x - u) < w && Math.abs(y - v) < h ? weight : 0), 0);
    return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
  }

  // --- In space ---
  // The plane that most of the molecule lies in, its longest direction across.
  function principal(atoms, middle) {
    const spread = (v) => [0, 1, 2].map((i) => atoms.reduce((sum, atom) => {
      const d = middle.map((m, k) => atom[k + 1] - m);
      return sum + d[i] * (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
    }, 0));
    const unit = (v) => { const l = Math.hypot(...v) || 1; return v.map((x) => x / l); };
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const without = (v, u) => { const d = v[0] * u[0] + v[1] * u[1] + v[2] * u[2]; return v.map((x, k) => x - d * u[k]); };
    let u = unit([1, 0.3, 0.2]), v = unit(without([0.2, 1, 0.3], u));
    for (let i = 0; i < 60; i++) { u = unit(spread(u)); v = unit(without(spread(v), u)); }
    return [u, v, cross(u, v)];
  }

  return { onRing, spread, apart, beside, clearest, principal };
})();
