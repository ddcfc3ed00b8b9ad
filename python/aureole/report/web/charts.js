/* SPDX-License-Identifier: Apache-2.0 */
// Charts as SVG: axes, lines, and a pointer that reads values.

// Steps of 1, 2 or 5 that cut a span into about so many parts.
function ticks(low, high, parts) {
  const raw = (high - low) / parts, size = 10 ** Math.floor(Math.log10(raw));
  const off = k => Math.abs(Math.log((high - low) / (k * size * parts)));
  const step = size * [1, 2, 5, 10].reduce((best, k) => off(k) < off(best) ? k : best);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return {found, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9))};
}

const formats = new Map();
function fixed(value, decimals) {
  const d = Math.min(12, Math.max(0, decimals));
  if (!formats.has(d)) formats.set(d, new Intl.NumberFormat("en", {minimumFractionDigits: d, maximumFractionDigits: d}));
  return formats.get(d).format(Object.is(value, -0) ? 0 : value).replace("-", "−");
}

function unpacked(series) {
  if (series.ready) return series;
  series.ready = true;
  series.x = unpack.f8(series.x);
  for (const name of ["y", "average", "error", "near"]) if (series[name]) series[name] = unpack.f4(series[name]);
  return series;
}

// Lowest and highest of the values, without the start if that is far off.
function span(chart) {
  let low = Infinity, high = -Infinity;
  for (const s of chart.series) {
    const late = Math.floor(s.y.length / 10);
    for (let pass = 0; pass < 2; pass++) {
      for (let i = pass ? 0 : late; i < s.y.length; i++) {
        const v = s.y[i] + s.origin;
        if (!Number.isFinite(v)) continue;
        if (!pass || Math.abs(v - (low + high) / 2) < 1.6 * (high - low)) { low = Math.min(low, v); high = Math.max(high, v); }
      }
    }
    if (Number.isFinite(s.mean)) { low = Math.min(low, s.mean); high = Math.max(high, s.mean); }
  }
  if (chart.kind === "distribution") return [0, high * 1.06];
  if (!(high > low)) { const pad = Math.abs(high) * 1e-6 || 1; return [low - pad, high + pad]; }
  const pad = 0.08 * (high - low);
  return [low - pad, high + pad];
}

function nearest(x, at) {
  let low = 0, high = x.length - 1;
  while (high - low > 1) { const mid = (low + high) >> 1; if (x[mid] > at) high = mid; else low = mid; }
  return at - x[low] < x[high] - at ? low : high;
}

class Chart {
  constructor(place, chart, peers) {
    this.place = place; this.chart = chart; this.peers = peers;
    place.innerHTML = "<svg role=\"img\"></svg><div class=\"head\"><b></b><span class=\"read\"></span></div>";
    [this.svg, this.head] = [place.firstChild, place.lastChild];
    this.svg.addEventListener("pointermove", e => this.point(e));
    this.svg.addEventListener("pointerdown", e => this.point(e));
    this.svg.addEventListener("pointerleave", () => peers.forEach(peer => peer.read(null)));
    peers.add(this);
    new ResizeObserver(() => this.draw()).observe(place);
    this.show(chart);
  }

  show(chart) {
    this.chart = chart;
    chart.series.forEach(unpacked);
    this.head.firstChild.innerHTML = `${safe(chart.title)} <span class="u">${safe(chart.unit)}</span>`;
    this.svg.setAttribute("aria-label", chart.title);
    this.draw();
  }

  draw() {
    const width = this.place.clientWidth, height = this.place.clientHeight, chart = this.chart;
    if (!width || !height) return;
    const [low, high] = span(chart), first = chart.series[0].x;
    const y = ticks(low, high, Math.max(3, (height - 60) / 46));
    const labels = y.found.map(v => fixed(v, y.decimals));
    const box = {left: 12 + 6.9 * Math.max(...labels.map(l => l.length)), right: width - 6, top: 34, bottom: height - 38};
    const x0 = chart.kind === "distribution" ? 0 : first[0], x1 = first[first.length - 1];
    const x = ticks(x0, x1 > x0 ? x1 : x0 + 1, Math.max(2, (box.right - box.left) / 92));
    const X = v => box.left + (v - x0) / (x1 - x0 || 1) * (box.right - box.left);
    const Y = v => box.bottom - (v - low) / (high - low) * (box.bottom - box.top);
    Object.assign(this, {box, X, Y, x0, x1, decimals: y.decimals, xDecimals: x.decimals});
    let out = "";
    y.found.forEach((v, k) => {
      out += `<line class="grid" x1="${box.left}" x2="${box.right}" y1="${Y(v).toFixed(1)}" y2="${Y(v).toFixed(1)}"/>` +
        `<text x="${box.left - 7}" y="${(Y(v) + 4).toFixed(1)}" text-anchor="end">${labels[k]}</text>`;
    });
    x.found.forEach(v => {
      out += `<line class="axis" x1="${X(v).toFixed(1)}" x2="${X(v).toFixed(1)}" y1="${box.bottom}" y2="${box.bottom + 4}"/>` +
        `<text x="${X(v).toFixed(1)}" y="${box.bottom + 18}" text-anchor="middle">${fixed(v, x.decimals)}</text>`;
    });
    out += `<line class="axis" x1="${box.left}" x2="${box.right}" y1="${box.bottom}" y2="${box.bottom}"/>` +
      `<text x="${box.right}" y="${height - 4}" text-anchor="end">${safe([chart.x.name, chart.x.unit].filter(Boolean).join(" / "))}</text>`;
    const id = `clip${Chart.count = (Chart.count || 0) + 1}`;
    out += `<clipPath id="${id}"><rect x="${box.left}" y="${box.top - 2}" width="${Math.max(0, box.right - box.left)}" height="${Math.max(0, box.bottom - box.top + 2)}"/></clipPath><g clip-path="url(#${id})">`;
    if (chart.kind === "distribution") out += `<line class="mean" x1="${box.left}" x2="${box.right}" y1="${Y(1)}" y2="${Y(1)}"/>`;
    chart.series.forEach((s, k) => { out += this.lines(s, `var(--c${(k + (chart.colour || 0)) % 6})`); });
    this.svg.innerHTML = out + "</g><g class=\"pointer\"></g>";
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.read(null);
  }

  lines(s, colour) {
    const {X, Y} = this, path = (values, shift = 0) => {
      let text = "", pen = "M";
      for (let i = 0; i < values.length; i++) {
        const v = values[i] + s.origin + shift * (s.error ? s.error[i] : 0);
        if (!Number.isFinite(v)) { pen = "M"; continue; }
        text += `${pen}${X(s.x[i]).toFixed(1)} ${Y(v).toFixed(1)}`; pen = "L";
      }
      return text;
    };
    if (!s.average) {
      let band = "";
      if (s.error) {
        const there = path(s.y, 1), points = path(s.y, -1).slice(1).split("L").reverse().join("L");
        band = `<path d="${there}L${points}Z" fill="${colour}" opacity=".18"/>`;
      }
      return band + `<path class="run" stroke-width="1.8" d="${path(s.y)}" stroke="${colour}"/>`;
    }
    let out = `<path class="raw" d="${path(s.y)}" stroke="${colour}"${s.x.length > 700 ? " style=\"opacity:.26\"" : ""}/><path class="run" d="${path(s.average)}" stroke="${colour}"/>`;
    if (Number.isFinite(s.mean)) out += `<line class="mean" x1="${this.box.left}" x2="${this.box.right}" y1="${Y(s.mean)}" y2="${Y(s.mean)}"/>`;
    return out;
  }

  point(event) {
    const place = this.svg.getBoundingClientRect();
    const part = (event.clientX - place.left - this.box.left) / (this.box.right - this.box.left);
    const at = this.x0 + Math.min(1, Math.max(0, part)) * (this.x1 - this.x0);
    this.peers.forEach(peer => peer.read(at));
  }

  // The words at the top right: means, or the values under the pointer.
  read(at) {
    const many = this.chart.series.length > 1, words = [];
    const pointer = this.svg.querySelector(".pointer");
    if (!pointer) return;
    let marks = "";
    this.chart.series.forEach((s, k) => {
      const colour = `var(--c${(k + (this.chart.colour || 0)) % 6})`;
      const name = many ? `<span style="color:${colour}">${safe(s.name)}</span> ` : "";
      if (at === null) { words.push(name + (s.words ? safe(s.words) : "")); return; }
      const i = nearest(s.x, at), value = s.y[i] + s.origin;
      let said = fixed(value, this.chart.kind ? 2 : this.decimals + 1);
      if (s.error) said += ` ± ${fixed(s.error[i], 2)}`;
      if (s.near) said += `, n ${fixed(s.near[i], 2)}`;
      if (s.average && !many && Number.isFinite(s.average[i])) said += ` <i>average ${fixed(s.average[i] + s.origin, this.decimals + 1)}</i>`;
      words.push(name + said);
      if (!k) {
        const at_x = this.X(s.x[i]).toFixed(1);
        marks = `<line class="cross" x1="${at_x}" x2="${at_x}" y1="${this.box.top}" y2="${this.box.bottom}"/>`;
        words.unshift(`${fixed(s.x[i], this.xDecimals + 2)} ${safe(this.chart.x.unit)}`);
      }
      if (Number.isFinite(value)) marks += `<circle class="dot" r="4" cx="${this.X(s.x[i]).toFixed(1)}" cy="${this.Y(value).toFixed(1)}" fill="${colour}"/>`;
    });
    pointer.innerHTML = marks;
    this.head.lastChild.innerHTML = words.filter(Boolean).map(w => `<i>${w}</i>`).join("");
  }
}

// A small line without axes.
function spark(place, chart) {
  const s = unpacked(chart.series[0]), [low, high] = span(chart), n = s.x.length;
  const X = i => (s.x[i] - s.x[0]) / (s.x[n - 1] - s.x[0] || 1) * 166;
  let text = "";
  for (let i = 0; i < n; i++) text += `${i ? "L" : "M"}${X(i).toFixed(1)} ${(22 - (s.y[i] + s.origin - low) / (high - low) * 20).toFixed(1)}`;
  place.innerHTML = `<svg viewBox="0 0 166 24" preserveAspectRatio="none" aria-hidden="true"><path d="${text}" fill="none" stroke="var(--c0)" stroke-width="1" vector-effect="non-scaling-stroke" opacity=".8"/></svg>`;
}
