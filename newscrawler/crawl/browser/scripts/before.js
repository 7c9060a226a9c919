// Runs before the scripts of a page: takes away what could leave the page, and opens closed shadow roots, so that their text is read.
(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport", "WebSocket", "EventSource",
    "SharedWorker", "Notification", "PushManager", "PaymentRequest", "Worker"]) {
    try { Object.defineProperty(window, name, {value: undefined, configurable: false, writable: false}); } catch (error) { /* it is not there */ }
  }
  window.open = () => null;
  window.print = () => {};
  for (const name of ["alert", "confirm", "prompt"]) window[name] = () => null;
  try { navigator.sendBeacon = () => false; } catch (error) { /* read-only */ }
  try { Object.defineProperty(Navigator.prototype, "onLine", {get: () => true}); } catch (error) { /* it says that it is offline */ }
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) { return attach.call(this, {...options, mode: "open"}); };
})();
