import { describe, expect, it } from 'vitest';
import { fileToHeaders, headersFile, metaPolicies } from './policy.mjs';

const policies = [...Object.values(metaPolicies), ...['index.html', 'net.html', 'sw.js'].map(fileToPolicy)];

function fileToPolicy(file: string): string {
  return fileToHeaders(file)['Content-Security-Policy'] ?? '';
}

/** The paths of the rules in `_headers` that set a policy. */
function policyRules(): string[] {
  let path = '';
  return headersFile()
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith(' ')) path = line;
      return line.startsWith('  Content-Security-Policy:') ? [path] : [];
    });
}

describe('site policies', () => {
  it('start from nothing and never allow inline script or eval', () => {
    for (const policy of policies) {
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(policy).not.toContain("'unsafe-eval'");
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'/);
    }
  });

  it('let only net.html reach another origin', () => {
    expect(fileToPolicy('net.html')).toContain('connect-src https:');
    for (const file of ['index.html', 'sw.js', 'assets/x.js']) expect(fileToPolicy(file)).not.toMatch(/https?:/);
  });

  it('say in headers what the pages say themselves, and who may frame them', () => {
    expect(fileToPolicy('index.html')).toBe(`${metaPolicies['index.html']}; frame-ancestors 'self'`);
    expect(fileToPolicy('net.html')).toBe(`${metaPolicies['net.html']}; frame-ancestors 'self'`);
  });

  it('match each file with one policy in _headers: hosts join all rules that match', () => {
    const rules = policyRules();
    expect(rules).toEqual(['/', '/index.html', '/assets/*', '/net.html', '/net', '/sw.js']);
    for (const rule of rules) {
      const prefixes = rules.filter((other) => other.endsWith('*') && rule.startsWith(other.slice(0, -1)));
      expect(prefixes.filter((other) => other !== rule)).toEqual([]);
    }
  });
});
