/** For undici's EnvHttpProxyAgent, which knows the rules of NO_PROXY. */
export interface Proxies {
  /** Empty: none. */
  httpProxy: string;
  /** For https addresses; empty: `httpProxy`. */
  httpsProxy: string;
  /** Hosts that are asked directly. */
  noProxy: string;
}

export const noProxies: Proxies = { httpProxy: "", httpsProxy: "", noProxy: "" };

/**
 * The proxies of an environment, as curl and others read its variables; names in lower case come first.
 * @throws Error for a proxy that is no address: nothing is asked around it
 */
export function proxiesOf(env: NodeJS.ProcessEnv): Proxies {
  return {
    httpProxy: addressOf(env.http_proxy ?? env.HTTP_PROXY),
    httpsProxy: addressOf(env.https_proxy ?? env.HTTPS_PROXY),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
  };
}

/** "proxy.example:3128" is one of http, as curl has it. */
function addressOf(proxy = ""): string {
  const trimmed = proxy.trim();
  const address = trimmed === "" || trimmed.includes("://") ? trimmed : `http://${trimmed}`;
  if (address !== "" && !URL.canParse(address)) throw new Error("HTTPS_PROXY or HTTP_PROXY is not a valid address.");
  return address;
}
