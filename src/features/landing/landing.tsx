import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { pageFact } from "#src/browser/server-rendered.ts";
import { isTryLeft } from "#src/browser/try-left.ts";
import { LanguagesHere } from "#src/features/engines/languages-here.tsx";
import { useSignedInHint } from "#src/features/session/token-hint.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { useHydration } from "#src/ui/hydration.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./landing.module.css";
import { Pricing } from "./pricing.tsx";
import { Specimen } from "./specimen.tsx";

/** Wanted by whoever speaks, or has left something behind. */
const loadTryOut = async () => {
  const [panel] = await Promise.all([import("#src/features/tryout/panel.tsx"), loadTexts("tryout"), loadTexts("app")]);
  return panel;
};
const TryOutPanel = lazy(async () => ({ default: (await loadTryOut()).TryOutPanel }));

const information = ["blog", "terms", "privacy", "about", "contact"] as const;

/** The landing page: what Parlance does, at a glance. */
export function Landing() {
  useHydration();
  const { t } = useTranslation();
  const signedIn = useSignedInHint();
  const [trying, setTrying] = useState<"left" | "pressed" | null>(() => (isTryLeft() ? "left" : null));
  const mayTry = Boolean(pageFact("tries"));
  const speak = () => {
    setTrying("pressed");
    // What can't be loaded, the panel says.
    loadTryOut().then(
      ({ beginSpeaking }) => beginSpeaking(),
      () => {},
    );
  };
  return (
    <div className={styles.landing}>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>{t("landing.title")}</h1>
          <p className={styles.lead}>{t("landing.lead")}</p>
          <div className={styles.calls}>
            <span className="forSignedIn">
              <Link className={buttonClass("primary")} to="/speech-to-text">
                <Icon name="microphone" />
                {t("landing.start")}
              </Link>
            </span>
            <span className="forVisitors">
              {mayTry && !trying ? (
                <span className="needsScript">
                  <Button look="primary" icon="microphone" onClick={speak}>
                    {t("landing.start")}
                  </Button>
                </span>
              ) : null}
              <Link className={buttonClass(mayTry ? "secondary" : "primary")} to="/signup">
                {t("titles.signUp")}
              </Link>
            </span>
            <span className={styles.small}>{t(mayTry && !signedIn ? "landing.tryHint" : "landing.startHint")}</span>
          </div>
          <LanguagesHere />
        </div>
        {trying && !signedIn ? (
          <Suspense fallback={<Specimen />}>
            <TryOutPanel focused={trying === "pressed"} />
          </Suspense>
        ) : (
          <Specimen />
        )}
      </section>

      <Features />
      <Promises />
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

const features = [
  { key: "live", icon: "microphone" },
  { key: "files", icon: "upload" },
  { key: "translate", icon: "translate" },
  { key: "correct", icon: "edit" },
] as const;

function Features() {
  const { t } = useTranslation();
  return (
    <section id="features" className={styles.section} aria-labelledby="features-title">
      <h2 id="features-title">{t("landing.features.title")}</h2>
      <ul className={styles.features}>
        {features.map(({ key, icon }) => (
          <li key={key}>
            <Icon name={icon} />
            <h3>{t(`landing.features.${key}.title`)}</h3>
            <p>{t(`landing.features.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const promises = ["heard", "kept", "deleted", "locked"] as const;

function Promises() {
  const { t } = useTranslation();
  return (
    <section className={styles.promise} aria-labelledby="promise-title">
      <div>
        <h2 id="promise-title">{t("landing.promise.title")}</h2>
        <p>{t("landing.promise.text")}</p>
      </div>
      <dl>
        {promises.map((promise) => (
          <div key={promise}>
            <dt>{t(`landing.promise.${promise}.name`)}</dt>
            <dd>{t(`landing.promise.${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
