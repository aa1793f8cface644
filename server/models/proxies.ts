/** The proxies of an environment, as curl and others understand its variables; names in lower case come first. */
export interface Proxies {
  /** Empty: none. */
  httpProxy: string;
  /** For https addresses; empty: none. */
  httpsProxy: string;
  /** Hosts that are asked directly. */
  noProxy: string;
  /** The proxy that is asked for an address; undefined: the host itself is. */
  proxyFor(url: URL): string | undefined;
}

/** Where HTTPS_PROXY is not set, HTTP_PROXY stands for it. */
export function proxiesOf(env: NodeJS.ProcessEnv): Proxies {
  const httpProxy = addressOf(env.http_proxy ?? env.HTTP_PROXY);
  const ofHttps = addressOf(env.https_proxy ?? env.HTTPS_PROXY);
  const httpsProxy = ofHttps === "" ? httpProxy : ofHttps;
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? "";
  const direct = noProxy.split(/[,\s]+/).filter((entry) => entry !== "");
  const proxyFor = (url: URL) => {
    const proxy = url.protocol === "https:" ? httpsProxy : httpProxy;
    return proxy === "" || direct.some((entry) => isNamed(url, entry)) ? undefined : proxy;
  };
  return { httpProxy, httpsProxy, noProxy, proxyFor };
}

/** "proxy.example:3128" is one of http, as curl has it. */
function addressOf(proxy = ""): string {
  const trimmed = proxy.trim();
  return trimmed === "" || trimmed.includes("://") ? trimmed : `http://${trimmed}`;
}

/** Whether an entry of NO_PROXY is about a host: "*", "example.com" and ".example.com" with all below, "*.example.com", "[::1]:443". */
function isNamed({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, host = entry, only] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  if (only !== undefined && only !== ownPort) return false;
  if (host === "*") return true;
  const bare = (name: string) =>
    name
      .toLowerCase()
      .replace(/^\[(.+)\]$/, "$1")
      .replace(/\.$/, "");
  const own = bare(hostname);
  const named = bare(host).replace(/^\*?\./, "");
  return (!host.startsWith("*") && own === named) || own.endsWith(`.${named}`);
}
