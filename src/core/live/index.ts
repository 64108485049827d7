/**
 * A live model call for a replay: the request in the words of a public interface, and what its answer says.
 *
 * Glossary
 * - endpoint: where a person's model is: interface, address, model, parameters; the key stands apart and is never recorded
 * - prompt: what is asked, as messages
 * - call: what is recorded of it: parameters, usage, price
 */
export { type LiveAnswer, readAnswer, refusalToText } from './answer.ts';
export {
  type LiveApi,
  type LiveEndpoint,
  type LiveMessage,
  type LiveRequest,
  argsToMessages,
  createLiveRequest,
  endpointToProblem,
  liveApis,
} from './request.ts';
export { type LivePrices, answerToCall, textToValue, usageToCost } from './record.ts';
