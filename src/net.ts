/**
 * The document that makes foreign requests, one per confirmation (`net.html`).
 *
 * Owns the boundary between the page, which may reach its own origin only, and the origin a person named. It makes no
 * request by itself: it waits for one message with a port from the page of the same origin, and answers on that port.
 */
export {};
