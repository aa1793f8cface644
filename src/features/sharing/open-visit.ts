import type { VisitActor } from "#machines/sharing/visit.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** The page of a link. What opens it, and what is opened, is in no machine. */
export interface LinkVisit<Shown> {
  actor: VisitActor;
  /** What the link shows; null unless it is open. */
  shown: ReadableStore<Shown | null>;
  /** Ends it when the page is left: what was opened is discarded. */
  end(): void;
}

interface LinkKind<Address, Visit> {
  /** @param fragment of the page's address @returns undefined for one that is no link's */
  read(fragment: string): Address | undefined;
  fragmentOf(address: Address): string;
  begin(address: Address | undefined): Visit;
}

/**
 * Opens the link in the page's address. While it is open it is the same: the router loads the page again when the fragment changes, as on the
 * way to the content.
 */
export function createVisits<Address, Visit extends LinkVisit<unknown>>({ read, fragmentOf, begin }: LinkKind<Address, Visit>) {
  let open: { visit: Visit; listen: AbortController } | undefined;

  /**
   * The key stays in the address, so that a reload and a bookmark open it again: a fragment is sent to no server. Another link that is put
   * there is another page; what else changes the fragment (the way to the content) takes no link away.
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
    /** The page is left. */
    leave(): void {
      open?.listen.abort();
      open?.visit.end();
      open = undefined;
    },
  };
}
