// Asks a listing for more, as a reader does: presses the button that offers it, or scrolls to the end.
words => {
  const shown = element => element.checkVisibility ? element.checkVisibility({visibilityProperty: true, opacityProperty: true}) : true;
  const names = /(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories)/i;
  for (const element of document.querySelectorAll("button, [role=button], a[href='#'], a:not([href])")) {
    const text = element.textContent.trim().toLowerCase();
    const named = names.test(element.id) || names.test(element.getAttribute("class") || "");
    if ((named || words.includes(text)) && shown(element) && !element.disabled) { element.click(); break; }
  }
  window.scrollTo(0, document.documentElement.scrollHeight);
}
