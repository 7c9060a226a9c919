// Returns the addresses of the links of a page, those in shadow roots too.
most => {
  const found = new Set();
  const collect = root => {
    for (const element of root.querySelectorAll("*")) {
      if (found.size >= most) return;
      if (element.localName === "a" && element.href && typeof element.href === "string") found.add(element.href);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);
  return [...found];
}
