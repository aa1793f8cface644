type Policy = ReturnType<NonNullable<Window["trustedTypes"]>["createPolicy"]>;

/** The Trusted Types policies for workers (server/page/headers.ts). Each always returns the same URL. */
const policies = new Map<string, Policy | undefined>();

/** Starts a worker of the page. @param policyName its Trusted Types policy, which a page can create only once */
export function startWorker(policyName: string, url: string, options: WorkerOptions): Worker {
  if (!policies.has(policyName)) {
    policies.set(policyName, globalThis.window?.trustedTypes?.createPolicy(policyName, { createScriptURL: () => url }));
  }
  return new Worker(policies.get(policyName)?.createScriptURL(url) ?? url, options);
}
