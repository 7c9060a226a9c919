// Theme, menu, tabs and "/" for search. The pages can be read without it.
"use strict";
const root = document.documentElement;
root.classList.add("js");
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window */ } };
try { if (localStorage.theme) root.dataset.theme = localStorage.theme; } catch { /* private window */ }

document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll(".theme")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      keep("theme", root.dataset.theme);
    });
  }

  const menu = document.querySelector(".menu-button");
  const setMenu = (isOpen) => {
    root.classList.toggle("menu-open", isOpen);
    menu.setAttribute("aria-expanded", isOpen);
    if (isOpen) document.querySelector(".sidebar a").focus(); else menu.focus();
  };
  if (menu) {
    menu.setAttribute("role", "button");
    menu.addEventListener("click", (event) => { event.preventDefault(); setMenu(!root.classList.contains("menu-open")); });
    document.querySelector(".scrim").addEventListener("click", (event) => { event.preventDefault(); setMenu(false); });
  }

  for (const list of document.querySelectorAll(".tabs[data-tabs]")) {
    const tabs = [...list.querySelectorAll("a")];
    const panels = tabs.map((tab) => document.querySelector(tab.hash));
    list.setAttribute("role", "tablist");
    const select = (index) => tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === index);
      tab.tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
    tabs.forEach((tab, i) => {
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panels[i].id);
      panels[i].setAttribute("role", "tabpanel");
      tab.addEventListener("click", (event) => { event.preventDefault(); history.replaceState(null, "", tab.hash); select(i); });
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = (i + step + tabs.length) % tabs.length;
        select(next);
        tabs[next].focus();
      });
    });
    select(Math.max(0, tabs.findIndex((tab) => tab.hash === location.hash)));
  }

  for (const tab of document.querySelectorAll(".tabs [aria-current], .tabs [aria-selected=true]")) {  // on a phone it may be outside
    tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 48;
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.classList.contains("menu-open")) setMenu(false);
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const field = document.querySelector("[data-search]");
    event.preventDefault();
    if (field) field.focus(); else if (document.querySelector(".finder")) location.href = document.querySelector(".finder").href;
  });
});
