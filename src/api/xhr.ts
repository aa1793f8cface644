/**
 * The connection counts as lost after this time without progress in sending, or without an answer after the last byte
 * (ms).
 */
const stallMs = 60_000;
const answerMs = 60_000;

/** @param loaded bytes of the body sent so far */
export type OnSent = (loaded: number) => void;

/** A network failure, as `fetch` reports it. */
const lost = () => new TypeError("The connection was lost.");

/**
 * `fetch` over XMLHttpRequest, because only that reports upload progress in a browser. An unresponsive connection
 * counts as lost, while `fetch` would wait forever.
 */
export function createXhrFetch(onSent: OnSent): typeof fetch {
  return async (target, init = {}) => {
    const url = target instanceof Request ? target.url : String(target);
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", url);
    request.withCredentials = init.credentials === "include";
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    return exchange(request, init, onSent);
  };
}

function exchange(request: XMLHttpRequest, { body, signal }: RequestInit, onSent: OnSent): Promise<Response> {
  if (body instanceof ReadableStream) throw new TypeError("XMLHttpRequest can't send a stream.");
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const began = performance.now();
  // A changed timeout applies to the running request. It counts from the request's start.
  const allow = (more: number) => {
    request.timeout = performance.now() - began + more;
  };
  const abort = () => request.abort();
  request.upload.onprogress = ({ loaded }) => {
    allow(stallMs);
    onSent(loaded);
  };
  request.upload.onload = () => allow(answerMs);
  request.onload = () =>
    resolve(new Response(request.responseText || null, { status: request.status, headers: headersOf(request) }));
  request.onerror = () => reject(lost());
  request.ontimeout = () => reject(lost());
  request.onabort = () => reject(signal?.reason ?? lost());
  allow(stallMs);
  signal?.addEventListener("abort", abort, { once: true });
  request.send(body ?? null);
  return promise.finally(() => signal?.removeEventListener("abort", abort));
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/);
  return new Headers(
    lines.flatMap((line): [string, string][] => {
      const [name = "", ...value] = line.split(":");
      return name === "" ? [] : [[name, value.join(":").trim()]];
    }),
  );
}
