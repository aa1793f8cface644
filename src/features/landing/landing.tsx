import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageFact } from "#src/browser/first-sight.ts";
import { useSignedInHint } from "#src/features/session/token-hint.ts";
import { isTryLeft } from "#src/features/tryout/left.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { useTakenOver } from "#src/ui/taken-over.ts";
import styles from "./landing.module.css";
import { Pricing } from "./pricing.tsx";
import { Specimen } from "./specimen.tsx";
import { Read } from "./text.tsx";

/** Loaded when somebody wants it, or has left something behind. */
const TryOutPanel = lazy(async () => {
  const [panel] = await Promise.all([import("#src/features/tryout/panel.tsx"), loadTexts("tryout"), loadTexts("app")]);
  return { default: panel.TryOutPanel };
});

const information = ["blog", "terms", "privacy", "about", "contact"] as const;

/** The landing page: what Parlance does, at a glance. */
export function Landing() {
  useTakenOver();
  const { t } = useTranslation();
  const signedIn = useSignedInHint();
  const [trying, setTrying] = useState<"left" | "pressed" | null>(() => (isTryLeft() ? "left" : null));
  const start = signedIn ? "/speech-to-text" : "/signup";
  return (
    <div className={styles.landing}>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>{t("landing.title")}</h1>
          <p className={styles.lead}>{t("landing.lead")}</p>
          <div className={styles.calls}>
            <Link className={buttonClass("primary")} to={start}>
              <Icon name="microphone" />
              {t("landing.start")}
            </Link>
            {pageFact("tries") ? (
              <span className="forVisitors needsScript">
                <Button onClick={() => setTrying("pressed")}>{t("landing.try")}</Button>
              </span>
            ) : null}
            <span className={styles.small}>{t("landing.startHint")}</span>
          </div>
          <Read part="LanguagesHere" />
        </div>
        {trying && !signedIn ? (
          <Suspense fallback={<Specimen />}>
            <TryOutPanel focused={trying === "pressed"} />
          </Suspense>
        ) : (
          <Specimen />
        )}
      </section>

      <Read part="Features" />
      <Read part="Promises" />
      <Pricing />
      <footer className={styles.footer}>
        {t("landing.footer")}
        <nav>
          {information.map((page) => (
            <Link key={page} to={`/${page}`}>
              {t(`titles.${page}`)}
            </Link>
          ))}
        </nav>
      </footer>
    </div>
  );
}
