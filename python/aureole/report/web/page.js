/* SPDX-License-Identifier: Apache-2.0 */
// Puts charts and the picture into the page, and follows pointers, keys and the theme.

const root = document.documentElement, data = JSON.parse(document.getElementById("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)"), repaints = new Set();
let chosenTheme = null;
function setTheme(theme) { root.dataset.theme = theme; repaints.forEach(paint => paint()); }
const wantedTheme = () => chosenTheme || (dark.matches ? "dark" : "light");
dark.addEventListener("change", () => setTheme(wantedTheme()));
document.getElementById("theme").addEventListener("click", () => {
  chosenTheme = root.dataset.theme === "dark" ? "light" : "dark";
  setTheme(chosenTheme);
});
window.addEventListener("beforeprint", () => setTheme("light"));
window.addEventListener("afterprint", () => setTheme(wantedTheme()));
setTheme(wantedTheme());

function charts() {
  const together = new Set();
  for (const place of document.querySelectorAll("[data-chart]")) {
    const [kind, which] = place.dataset.chart.split(":");
    if (kind === "large") {
      const chart = data.large[which];
      chart.colour = chart.series.length > 1 ? 0 : +which;
      new Chart(place, chart, together);
    } else if (kind === "distributions") new Chart(place, data.distributions, new Set());
    else explorer(place);
  }
}

function explorer(place) {
  const buttons = [...document.querySelectorAll("[data-column]")];
  const chart = new Chart(place, data.small[buttons[0].dataset.column], new Set());
  const choose = button => {
    for (const other of buttons) other.closest("tr").classList.toggle("chosen", other === button);
    chart.show(data.small[button.dataset.column]);
  };
  buttons.forEach(button => button.addEventListener("click", () => choose(button)));
  choose(buttons[0]);
  for (const cell of document.querySelectorAll("[data-spark]")) {
    if (Object.hasOwn(data.small, cell.dataset.spark)) spark(cell, data.small[cell.dataset.spark]);
  }
}

charts();
if (data.scene) repaints.add(viewer(document.getElementById("viewer"), data.scene).paint);
root.dataset.ready = "yes";
