import { AsyncLocalStorage } from "node:async_hooks";

/** The context that follows a request and all work that it starts. */
export interface RequestContext {
  /** In each log entry, and in the answer's X-Request-Id; undefined in work that no request has started. */
  readonly requestId: string | undefined;
  /** The span that is open there; opaque except to the tracer. */
  readonly span?: unknown;
}

const storage = new AsyncLocalStorage<RequestContext | undefined>();

/** The context of the request that this work belongs to; undefined for work of the server's own. */
export function requestContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs work as part of a request; undefined: as the server's own work. */
export function inRequestContext<Result>(context: RequestContext | undefined, work: () => Result): Result {
  return storage.run(context, work);
}
