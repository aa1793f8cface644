import type { VisitActor } from "#machines/sharing/visit.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** The page of a link. The link's secret and its content are kept out of the machine. */
export interface LinkVisit<Shown> {
  actor: VisitActor;
  /** The content of the link; null unless it is open. */
  shown: ReadableStore<Shown | null>;
  /** Ends the visit when the user leaves the page. Discards the content. */
  end(): void;
}

interface LinkKind<Address, Visit> {
  /**
   * @param fragment of the page's address
   * @returns undefined if it is no link's fragment
   */
  read(fragment: string): Address | undefined;
  fragmentOf(address: Address): string;
  begin(address: Address | undefined): Visit;
}

/**
 * Opens the link in the page's address. Returns the same visit while the page is open, because the router loads the
 * page again when only the fragment changes, for example by the skip link.
 */
export function createVisits<Address, Visit extends LinkVisit<unknown>>({ read, fragmentOf, begin }: LinkKind<Address, Visit>) {
  let open: { visit: Visit; listen: AbortController } | undefined;

  /**
   * The key stays in the address, so that a reload or a bookmark opens the link again. No server receives a fragment.
   * If the fragment of another link is entered, the page reloads. After any other change (the skip link) the link's
   * fragment is restored.
   */
  function keepAddress(address: Address | undefined): AbortController {
    const listen = new AbortController();
    const follow = () => {
      if (read(location.hash) !== undefined) location.reload();
      else if (address !== undefined) history.replaceState(history.state, "", `#${fragmentOf(address)}`);
    };
    addEventListener("hashchange", follow, { signal: listen.signal });
    return listen;
  }

  return {
    async enter(): Promise<Visit> {
      await Promise.all([loadTexts("app"), loadTexts("sharing-visit")]);
      const address = read(location.hash);
      open ??= { visit: begin(address), listen: keepAddress(address) };
      return open.visit;
    },
    /** Called when the user leaves the page. */
    leave(): void {
      open?.listen.abort();
      open?.visit.end();
      open = undefined;
    },
  };
}
