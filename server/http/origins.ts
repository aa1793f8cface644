import { isIP } from "node:net";

/** The actual ports (the configured ones may be 0). Set when listening. */
export interface Ports {
  api: number;
  web: number;
}

export interface Origins {
  /** Whether a page of this origin may call the API reached under this Host header. */
  allows(origin: string, host: string | undefined): boolean;
  /** The API's origin for a page reached under this Host header; undefined for a foreign host without API_URL. */
  apiFor(host: string | undefined): string | undefined;
  /** The page's origin for an API reached under this Host header. */
  pageFor(host: string | undefined): string;
  /** The configured origin of the page: for links that must not depend on request headers. */
  readonly page: string;
  readonly secure: boolean;
  readonly secureApi: boolean;
}

/**
 * The page's origin is PUBLIC_URL. A server reached under localhost or an IP address also accepts the page on the same
 * host, but no other name that resolves to this machine (DNS rebinding).
 */
export function createOrigins(config: { publicUrl: string | undefined; apiUrl: string | undefined }, ports: Ports): Origins {
  const publicUrl = () => config.publicUrl ?? `http://localhost:${ports.web}`;
  return {
    allows: (origin, host) => {
      if (origin === publicUrl()) return true;
      const name = machineName(host);
      return name !== undefined && origin === `http://${name}:${ports.web}`;
    },
    apiFor: (host) => {
      if (config.apiUrl !== undefined) return config.apiUrl;
      const name = machineName(host);
      return name === undefined ? undefined : `http://${name}:${ports.api}`;
    },
    pageFor: (host) => {
      const name = config.publicUrl === undefined ? machineName(host) : undefined;
      return name === undefined ? publicUrl() : `http://${name}:${ports.web}`;
    },
    get page() {
      return publicUrl();
    },
    secure: publicUrl().startsWith("https:"),
    secureApi: (config.apiUrl ?? publicUrl()).startsWith("https:"),
  };
}

/** The host without its port, if it is localhost or an IP address (IPv6 in brackets, as in a URL). */
function machineName(host: string | undefined): string | undefined {
  if (host === undefined || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname } = new URL(`http://${host}`);
  return hostname === "localhost" || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ? hostname : undefined;
}
