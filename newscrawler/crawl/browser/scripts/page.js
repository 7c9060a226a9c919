// Returns the page as HTML, with the content of shadow roots where a reader sees it: in the place of the element's own children, those
// that a slot shows inside that slot. Programs are left out; data in scripts stays.
most => {
  const inert = document.implementation.createHTMLDocument("");
  const isProgram = element => element.localName === "script" && !/json/i.test(element.type);
  const copied = node => {
    if (node.nodeType === Node.TEXT_NODE) return [inert.createTextNode(node.data)];
    if (node.nodeType !== Node.ELEMENT_NODE || isProgram(node)) return [];
    if (node.localName === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const shown = node.assignedNodes();
      return (shown.length ? shown : [...node.childNodes]).flatMap(copied);
    }
    const copy = inert.importNode(node, false);
    const content = node.localName === "template" ? [] : (node.shadowRoot || node).childNodes;
    for (const child of content) copy.append(...copied(child));
    return [copy];
  };
  const [root] = copied(document.documentElement);
  const html = "<!DOCTYPE html>" + (root ? root.outerHTML : "");
  return html.length > most ? null : html;
}
