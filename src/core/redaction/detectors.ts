/**
 * Detectors: patterns of values that should not leave even when their class is kept. They run over every string and member name of
 * what a policy keeps. A hit masks the span for the reader and turns the value into a hole, so that no program ever receives a mask.
 *
 * The patterns favour a needless mask over a leak. They are a safety net under the closed default, not the default itself.
 * Invariant: the work over a text grows with its length and no faster. A pattern that looks at a whole run of characters begins only
 * where the run begins, so a run is walked once; every other pattern looks a bounded way ahead. The test counts the steps.
 */

export interface Detector {
  readonly id: string;
  readonly label: string;
  readonly pattern: RegExp;
  /** Second look at a match, where the pattern alone is too wide. */
  readonly accept?: (match: string) => boolean;
}

/** Ends of names that say that what is called so is secret. */
const secretWord =
  '(?:password|passwd|passphrase|passcode|secret|token|credential|api[_ -]?key|access[_ -]?key|private[_ -]?key|signing[_ -]?key|encryption[_ -]?key|authorization|cookie)s?(?:[_ -]?(?:key|value|hash|string|text))?';

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
      /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|sk-[\w-]{16,}|sk_(?:live|test)_\w{10,}|rk_(?:live|test)_\w{10,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}|npm_\w{30,}|hf_\w{20,})/g,
  },
  { id: 'token', label: 'access token', pattern: /(?<![\w.-])[\w.-]{24,}/g, accept: isSignedToken },
  { id: 'aws-key', label: 'cloud access key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g },
  { id: 'authorization', label: 'credential', pattern: /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi },
  {
    id: 'assigned-secret',
    label: 'secret',
    // A quoted value goes to its closing quote, with the spaces in it; a text inside of a text has its quotes escaped.
    pattern: new RegExp(
      `(?<![\\w-])[\\w-]*${secretWord}\\\\*["']?\\s*[:=]\\s*(?:\\\\*"[^"]+"?|\\\\*'[^']+'?|[^\\s"',;&]{4,})`,
      'gi',
    ),
  },
  {
    id: 'url-credentials',
    label: 'address with credentials',
    pattern: /:\/\/(?:[^\s/@:]*:[^\s/@]+|[^\s/@:]{16,})@[^\s"']+/g,
  },
  { id: 'data-uri', label: 'embedded binary', pattern: /\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w=.-]+)*,[\w+/=%-]*/gi },
  {
    id: 'e-mail',
    label: 'e-mail address',
    pattern: /(?<![\p{L}\p{N}_.+%@-])[\p{L}\p{N}_.+%-]*@[\p{L}\p{N}_.+%@-]+/gu,
    accept: (match) => /[\p{L}\p{N}_.+%-]@[\p{L}\p{N}_-]+\.[\p{L}\p{N}_-]/u.test(match),
  },
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
  {
    id: 'home-path',
    label: 'home folder',
    pattern: /(?:\/(?:home|Users)\/|[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\"':]+/g,
  },
  { id: 'base64', label: 'long encoded text', pattern: /\b[A-Za-z0-9+/]{120,}={0,2}/g },
  { id: 'base64', label: 'long encoded text', pattern: /\b[\w-]{120,}/g, accept: looksEncoded },
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

const secretName = new RegExp(`${secretWord}$|(?:^|[^a-z])(?:pwd|pass|pin|otp|auth)$`, 'i');

/** Whether a member or header of this name holds a secret: `password`, `x-api-key`, `client_secret`, `accessToken`. */
export function isSecretName(name: string): boolean {
  // What is longer than any name is a text that mentions one.
  return name.length <= longestName && secretName.test(name);
}

const longestName = 128;

/** Under these names a number is a count: of tokens, or of tests. */
export function isCountName(name: string): boolean {
  return name.length <= longestName && /(?:tokens|^pass)$/i.test(name);
}

/** Three parts of a signed token, the first of which is an encoded object (`{"`). */
function isSignedToken(match: string): boolean {
  const parts = match.split('.');
  return parts.some((part, n) => {
    const at = part.indexOf('eyJ');
    return at >= 0 && part.length - at >= 11 && (parts[n + 1]?.length ?? 0) >= 8 && n + 2 < parts.length;
  });
}

/** Not a ruler of dashes nor a long name in words. */
function looksEncoded(match: string): boolean {
  return /\d/.test(match) && /[A-Z]/.test(match) && /[a-z]/.test(match);
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
