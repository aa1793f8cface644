import { LinkPage } from "./link-page.tsx";
import { SharedText } from "./shared-text.tsx";
import type { Visit } from "./visit-actor.ts";

const explained = ["noPassphrase", "wrongPassword", "tooManyRequests", "network"];
const texts = {
  locked: "locked",
  failed: "failed",
  refusal: (code: string) => `refusal.${explained.includes(code) ? code : "other"}`,
};

/** The page of a link to a transcript. */
export function VisitPage({ visit }: { visit: Visit }) {
  return (
    <LinkPage visit={visit} texts={texts}>
      {(transcript) => <SharedText visit={visit} transcript={transcript} />}
    </LinkPage>
  );
}
