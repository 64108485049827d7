/**
 * The policy, proven rather than read: what it must refuse is tried, in the page and inside a worker.
 */
import { createServer, type Server } from 'node:http';
import { expect, openApp, test as base } from './app.ts';
import { servers } from './servers.ts';

/** A foreign origin that answers everyone and remembers who asked. */
interface Foreign {
  readonly address: string;
  readonly requests: readonly string[];
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('the foreign server has no port'));
    });
  });
}

const test = base.extend<{ readonly foreign: Foreign }>({
  foreign: async ({ problems }, use) => {
    expect(problems).toEqual([]);
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' }).end('');
    });
    const port = await listen(server);
    await use({ address: `http://127.0.0.1:${port}`, requests });
    server.close();
  },
});

test.describe('what the policy refuses', () => {
  // The browser reports each attempt; that none arrived is what the foreign server knows.
  test.use({ expectedProblems: /Content Security Policy|foreign request/ });

  test('every way from the page to a foreign origin', async ({ page, foreign }) => {
    await openApp(page);
    const outcomes = await page.evaluate(async (address) => {
      const outcome = async (action: () => unknown): Promise<string> => {
        try {
          await action();
          return 'allowed';
        } catch {
          return 'refused';
        }
      };
      const add = (tag: 'img' | 'script' | 'iframe' | 'link') =>
        new Promise((resolve, reject) => {
          const element = document.createElement(tag);
          element.addEventListener('load', resolve);
          element.addEventListener('error', reject);
          const attribute = tag === 'link' ? 'href' : 'src';
          if (tag === 'link') element.setAttribute('rel', 'stylesheet');
          element.setAttribute(attribute, `${address}/${tag}`);
          document.body.append(element);
        });
      navigator.sendBeacon(`${address}/beacon`);
      const socket = await outcome(
        () =>
          new Promise((resolve, reject) => {
            const opened = new WebSocket(`${address.replace('http', 'ws')}/socket`);
            opened.addEventListener('open', resolve);
            opened.addEventListener('error', reject);
          }),
      );
      const form = document.createElement('form');
      form.action = `${address}/form`;
      form.target = '_blank';
      document.body.append(form);
      form.submit();
      return {
        fetch: await outcome(() => fetch(`${address}/fetch`)),
        import: await outcome(() => import(`${address}/import`)),
        image: await outcome(() => add('img')),
        script: await outcome(() => add('script')),
        style: await outcome(() => add('link')),
        socket,
        own: await outcome(() => fetch('./manifest.webmanifest')),
      };
    }, foreign.address);
    expect(outcomes).toEqual({
      fetch: 'refused',
      import: 'refused',
      image: 'refused',
      script: 'refused',
      style: 'refused',
      socket: 'refused',
      own: 'allowed',
    });
    expect(foreign.requests).toEqual([]);
  });

  test('inline script, event handlers in markup, and text turned into code', async ({ page }) => {
    await openApp(page);
    const ran = await page.evaluate(async () => {
      const marks: string[] = [];
      Object.assign(window, { mark: (name: string) => marks.push(name) });
      const script = document.createElement('script');
      script.textContent = "window.mark('inline')";
      document.body.append(script);
      const holder = document.createElement('div');
      holder.innerHTML = `<button onclick="window.mark('handler')">x</button>`;
      document.body.append(holder);
      holder.querySelector('button')?.click();
      // The driver lifts the ban on `eval` for the call that runs this text, so the attempt waits until it is over.
      await new Promise((resolve) => setTimeout(resolve, 0));
      try {
        Reflect.construct(Function, ["window.mark('function')"]);
        marks.push('function made');
      } catch {
        // Refused, as it should be.
      }
      return marks;
    });
    expect(ran).toEqual([]);
  });

  test('a foreign request from inside a worker, on a host without headers', async ({ page, foreign }) => {
    await page.goto(`${servers.probe.address}?foreign=${encodeURIComponent(foreign.address)}`);
    const shown = page.getByRole('status');
    await expect(shown).not.toHaveText('waiting');
    expect(JSON.parse(await shown.innerText())).toEqual({
      started: 'blob:',
      foreignFetch: 'refused: TypeError',
      foreignImport: 'refused: TypeError',
      eval: 'refused: EvalError',
      ownFetch: 'allowed',
      ownChunk: 'allowed',
      ownAsset: 'allowed',
      wasm: 'allowed',
    });
    expect(foreign.requests).toEqual([]);
  });
});

test.describe('the workers of the product', () => {
  test.use({ expectedProblems: /Content Security Policy|foreign request/ });

  test('are started from a blob and cannot reach a foreign origin', async ({ page, foreign }) => {
    await openApp(page);
    await expect.poll(() => page.workers().length).toBeGreaterThan(0);
    for (const worker of page.workers()) {
      expect(worker.url()).toMatch(/^blob:/);
      const outcome = await worker.evaluate(
        (address) =>
          fetch(address).then(
            () => 'allowed',
            () => 'refused',
          ),
        foreign.address,
      );
      expect(outcome).toBe('refused');
    }
    expect(foreign.requests).toEqual([]);
  });
});

test.describe('why workers are started from a blob', () => {
  test.use({ expectedProblems: /foreign request/ });

  test('a worker started from its file escapes on a host without headers, and the test sees it', async ({
    page,
    foreign,
    problems,
  }) => {
    await page.goto(`${servers.probe.address}?direct&foreign=${encodeURIComponent(foreign.address)}`);
    const shown = page.getByRole('status');
    await expect(shown).toContainText('"foreignFetch":"allowed"');
    expect(foreign.requests).toEqual(['/', '/x.js']);
    expect(problems).toContain(`foreign request: ${foreign.address}/`);
  });
});

test('the server of `npm start` sends the policy and its companions as headers', async ({ request }) => {
  const page = await request.get(servers.withHeaders.address);
  expect(page.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'self'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'content-type': 'text/html; charset=utf-8',
  });
  const net = await request.get(`${servers.withHeaders.address}net.html`);
  expect(net.headers()['content-security-policy']).toContain(
    'connect-src https: http://127.0.0.1:* http://localhost:*',
  );
});

test('the server gives nothing outside its folder', async ({ request }) => {
  for (const path of ['..%2fpackage.json', '%2e%2e/package.json', '..%5cpackage.json', '%00', 'assets', 'assets/']) {
    expect((await request.get(`${servers.withHeaders.address}${path}`)).status(), path).toBe(404);
  }
});
