/**
 * The document that makes foreign requests, one per confirmation (`net.html`).
 *
 * Owns the boundary between the page, which may reach its own origin only, and the origin a person named. It makes no request by itself:
 * it answers one message of the page that holds it in a frame. Removing the frame ends the request.
 */
import { answerOnce } from './platform/net/answer-once.ts';

answerOnce();
