import { AsyncLocalStorage } from "node:async_hooks";

/** What follows a request, and what it starts, wherever it goes on. */
export interface RequestContext {
  /** Stands in each log entry, and in the answer's X-Request-Id; undefined in work that no request has begun. */
  readonly requestId: string | undefined;
  /** The span that is open there; opaque except to the tracer. */
  readonly span?: unknown;
}

const storage = new AsyncLocalStorage<RequestContext | undefined>();

/** The context of the request that this work belongs to; undefined for work of the server's own. */
export function requestContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs work as part of a request; undefined: as the server's own, whoever has woken it. */
export function inRequestContext<Result>(context: RequestContext | undefined, work: () => Result): Result {
  return storage.run(context, work);
}
