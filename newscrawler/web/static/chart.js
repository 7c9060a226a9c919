// Lines over time: uPlot draws them, a tooltip and the arrow keys read them, and the SVG file becomes a PNG.
"use strict";
for (const place of document.querySelectorAll("[data-chart]")) {
  const { periods, seconds, series } = JSON.parse(place.dataset.chart);
  const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [1, 2]];
  const tooltip = document.createElement("div");
  tooltip.className = "tooltip";
  tooltip.setAttribute("role", "status");
  tooltip.hidden = true;
  const color = (name) => getComputedStyle(place).getPropertyValue(name).trim() && resolve(name);
  const least = { 4: 365, 7: 30, 10: 1 }[periods[0].length];  // days of a year, a month, a day
  const steps = [1, 2, 3, 7, 15, 30, 60, 90, 180, 365, 730, 1825, 3650, 9125].filter((days) => days >= least).map((days) => days * 86400);
  const probe = document.createElement("i");
  let plot = null;

  function resolve(name) {  // light-dark() is resolved by the browser only where it is used
    probe.className = "k-probe-" + name.slice(2);
    place.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  function format(value) {
    return value === null || value === undefined ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 });
  }

  function formatDay(time, index, times) {  // the year only where it begins
    const day = new Date(time * 1e3);
    const word = (options) => day.toLocaleDateString("en-GB", { timeZone: "UTC", ...options });
    if (periods[0].length === 4) return word({ year: "numeric" });
    const isNew = index === 0 || day.getUTCFullYear() !== new Date(times[index - 1] * 1e3).getUTCFullYear();
    return word({ month: "short", ...(periods[0].length > 7 ? { day: "numeric" } : {}) }) + (isNew ? "\n" + word({ year: "numeric" }) : "");
  }

  function show(index) {
    tooltip.hidden = index === null || index === undefined;
    if (tooltip.hidden) return;
    tooltip.replaceChildren();
    const title = document.createElement("p");
    title.className = "title";
    title.textContent = periods[index];
    const table = document.createElement("table");
    for (const each of series) {
      const row = table.insertRow();
      row.insertCell().textContent = each.name;
      const cell = row.insertCell();
      cell.className = "num";
      cell.textContent = format(each.values[index]);
    }
    tooltip.append(title, table);
    const left = plot.valToPos(seconds[index], "x") + plot.over.offsetLeft;
    const fits = left + tooltip.offsetWidth + 24 < place.clientWidth;
    tooltip.style.left = Math.max(0, fits ? left + 12 : left - tooltip.offsetWidth - 12) + "px";
    tooltip.style.top = "8px";
  }

  function draw() {
    const axis = { stroke: color("--ink-3"), grid: { stroke: color("--rule"), width: 1 }, ticks: { show: false }, font: "12px " + getComputedStyle(place).fontFamily };
    const lines = series.map((each, number) => ({
      label: each.name, stroke: color("--s" + (number % 4 + 1)), width: 2, dash: dashes[number % dashes.length], spanGaps: false,
      points: { show: periods.length < 80, size: 5 },
    }));
    if (plot) plot.destroy();
    place.replaceChildren();
    plot = new uPlot({
      width: place.clientWidth, height: Math.min(380, Math.max(240, place.clientWidth * 0.4)),
      legend: { show: false }, scales: { y: { range: (_, low, high) => [Math.min(0, low), high || 1] } },
      axes: [{ ...axis, space: 70, incrs: steps, values: (_, ticks) => ticks.map(formatDay) }, { ...axis, size: 64, values: (_, ticks) => ticks.map(format) }], series: [{}, ...lines],
      cursor: { y: false, points: { size: 9 } }, hooks: { setCursor: [(own) => show(own.cursor.idx)] },
      tzDate: (time) => uPlot.tzDate(new Date(time * 1e3), "Etc/UTC"),
    }, [seconds, ...series.map((each) => each.values)], place);
    place.append(tooltip);
  }

  draw();
  let width = place.clientWidth;
  new ResizeObserver(() => { if (place.clientWidth !== width) { width = place.clientWidth; draw(); } }).observe(place);
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  place.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = Math.min(periods.length - 1, Math.max(0, (plot.cursor.idx ?? (step > 0 ? -1 : periods.length)) + step));
    plot.setCursor({ left: plot.valToPos(seconds[index], "x"), top: 10 });
    show(index);
  });
}

// The PNG has the recipe of the SVG in a tEXt chunk, before its end.
async function addRecipe(blob, recipe) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const content = new TextEncoder().encode("tEXtnewscrawler recipe\0" + recipe);
  let sum = -1;
  for (const byte of content) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  const chunk = new DataView(new ArrayBuffer(content.length + 8));
  chunk.setUint32(0, content.length - 4);
  new Uint8Array(chunk.buffer).set(content, 4);
  chunk.setUint32(content.length + 4, ~sum >>> 0);
  return new Blob([bytes.subarray(0, -12), chunk.buffer, bytes.subarray(-12)], { type: "image/png" });
}

for (const button of document.querySelectorAll("[data-png]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = await (await fetch(button.dataset.png, { credentials: "same-origin" })).text();
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth * 2;
      canvas.height = image.naturalHeight * 2;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      const recipe = new DOMParser().parseFromString(source, "image/svg+xml").querySelector("metadata");
      canvas.toBlob(async (blob) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(recipe ? await addRecipe(blob, recipe.textContent) : blob);
        link.download = button.dataset.name;
        link.click();
        URL.revokeObjectURL(link.href);
      }, "image/png");
    });
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(source);
  });
}
