/**
 * Detectors: patterns of values that should not leave even when their class is kept. They run over every string and member name of
 * what a policy keeps. A hit masks the span for the reader and turns the value into a hole, so that no program ever receives a mask.
 *
 * The patterns favour a needless mask over a leak. They are a safety net under the closed default, not the default itself.
 */

export interface Detector {
  readonly id: string;
  readonly label: string;
  readonly pattern: RegExp;
  /** Second look at a match, where the pattern alone is too wide. */
  readonly accept?: (match: string) => boolean;
}

export const detectors: readonly Detector[] = [
  {
    id: 'private-key',
    label: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  {
    id: 'token',
    label: 'access token',
    pattern:
      /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|sk-[\w-]{16,}|sk_(?:live|test)_\w{10,}|rk_(?:live|test)_\w{10,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}|npm_\w{30,}|hf_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
  },
  { id: 'aws-key', label: 'cloud access key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g },
  { id: 'authorization', label: 'credential', pattern: /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi },
  {
    id: 'assigned-secret',
    label: 'secret',
    pattern:
      /\b[\w-]*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|credential)s?["']?\s*[:=]\s*["']?[^\s"',;&]{4,}/gi,
  },
  {
    id: 'url-credentials',
    label: 'address with credentials',
    pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]+:[^\s/@]+@[^\s"']+/gi,
  },
  { id: 'data-uri', label: 'embedded binary', pattern: /\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*,[\w+/=%-]*/gi },
  { id: 'e-mail', label: 'e-mail address', pattern: /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g },
  { id: 'card', label: 'card number', pattern: /\b\d(?:[ -]?\d){12,18}\b/g, accept: passesLuhn },
  { id: 'iban', label: 'bank account', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g },
  { id: 'national-id', label: 'national id', pattern: /\b\d{3}-\d{2}-\d{4}\b/g },
  {
    id: 'ip',
    label: 'network address',
    pattern:
      /\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b|\b(?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f]{0,4}\b/gi,
  },
  {
    id: 'phone',
    label: 'phone number',
    pattern: /(?:\+|\b00)\d(?:[ ()./-]?\d){7,14}\b|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b/g,
  },
  { id: 'home-path', label: 'home folder', pattern: /(?:\/(?:home|Users)\/|[A-Za-z]:\\Users\\)[^\s/\\"':]+/g },
  { id: 'base64', label: 'long encoded text', pattern: /\b[A-Za-z0-9+/]{120,}={0,2}/g },
];

export interface Scan {
  /** The text with every hit replaced by its label in brackets. */
  readonly masked: string;
  readonly hits: readonly string[];
}

/** Looks for all classes; undefined when nothing was found. */
export function scanText(text: string): Scan | undefined {
  let masked = text;
  const hits: string[] = [];
  for (const detector of detectors) {
    masked = masked.replace(detector.pattern, (match) => {
      if (detector.accept !== undefined && !detector.accept(match)) return match;
      hits.push(detector.id);
      return `[${detector.label} withheld]`;
    });
  }
  return hits.length === 0 ? undefined : { masked, hits };
}

function passesLuhn(match: string): boolean {
  const digits = match.replace(/\D/g, '');
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
