// Returns a number that changes when the page does.
() => {
  let size = 0;
  const count = root => {
    for (const element of root.querySelectorAll("*")) {
      size += 1;
      if (element.shadowRoot) count(element.shadowRoot);
    }
  };
  count(document);
  return size + (document.body ? document.body.textContent.length : 0);
}
