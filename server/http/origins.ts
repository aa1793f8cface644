import { isIP } from "node:net";

/** The ports that are really listened on (they differ from the configured ones when those are 0). Filled in when listening. */
export interface Ports {
  api: number;
  web: number;
}

/** Who the page is, and where it finds the API. */
export interface Origins {
  /** Whether a page of this origin may call the API that was reached under this Host header. */
  allows(origin: string, host: string | undefined): boolean;
  /** The API's origin for the page that was reached under this Host header; undefined for a foreign host without API_URL. */
  apiFor(host: string | undefined): string | undefined;
  /** The page's origin, for who has reached the API under this Host header. */
  pageFor(host: string | undefined): string;
  /** The page's origin as it is set up: for links that must not depend on what a request says of itself. */
  readonly page: string;
  /** Whether people reach the page by https. */
  readonly secure: boolean;
  /** Whether they reach the API by https. */
  readonly secureApi: boolean;
}

/**
 * The page's origin is PUBLIC_URL. Reached under localhost or an address, the page on the same host counts too: another name that
 * points to this machine (DNS rebinding) does not.
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
