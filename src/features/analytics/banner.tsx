import { Link, RouterContextProvider } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import type { ConsentChoice } from "#machines/analytics/rules.ts";
import { selectConsent } from "#machines/analytics/selectors.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { Button } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import styles from "./banner.module.css";
import type { Analytics } from "./create-analytics.ts";

/** Renders the consent banner outside of the router, so that a page without analytics loads no code for it. */
export function showBanner(analytics: Analytics): void {
  const place = document.createElement("div");
  // First in the tab order, so that keyboard users need not tab through everything that it covers.
  document.body.prepend(place);
  createRoot(place).render(
    <StrictMode>
      <RouterContextProvider router={pageRouter()}>
        <Banner analytics={analytics} />
      </RouterContextProvider>
    </StrictMode>,
  );
}

/** Asks for consent to analytics until the user answers. Blocks nothing. */
function Banner({ analytics: { actor, tagHost, lookupHost } }: { analytics: Analytics }) {
  const { t } = useTranslation("analytics");
  const consent = useSelector(actor, selectConsent);
  if (consent !== "undecided") return null;
  const choose = (choice: ConsentChoice) => {
    actor.send({ type: "consent.chosen", choice });
    focusHeading();
  };
  return (
    <section className={`stack size-1 ${styles.banner}`} aria-labelledby="measuring-question">
      <p id="measuring-question" className={`size-3 reading ${styles.question}`}>
        {t("banner.question")}
      </p>
      <p>
        {t("banner.text", { tag: tagHost })} {lookupHost ? t("banner.lookup", { lookup: lookupHost }) : null}{" "}
        <Link to="/privacy" hash="analytics">
          {t("banner.more")}
        </Link>
      </p>
      <div className={styles.answers}>
        <Button onClick={() => choose("refused")}>{t("banner.refuse")}</Button>
        <Button onClick={() => choose("agreed")}>{t("banner.agree")}</Button>
      </div>
    </section>
  );
}
