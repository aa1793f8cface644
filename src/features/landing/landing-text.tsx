import { useTranslation } from "react-i18next";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./landing.module.css";

// What of the landing page is for reading alone: loaded when all that answers to a press is in use (landing.tsx).

export { LanguagesHere } from "#src/features/engines/languages-here.tsx";

const features = [
  { key: "live", icon: "microphone" },
  { key: "files", icon: "upload" },
  { key: "translate", icon: "translate" },
  { key: "correct", icon: "edit" },
] as const;

export function Features() {
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

export function Promises() {
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

/** The content of public/demo/jfk.json until play is pressed. */
const lines = [
  { time: "0:00", said: "And so my fellow Americans", meant: "Y así que mis americanos amigos" },
  { time: "0:03", said: "ask not", meant: "pide no" },
  { time: "0:05", said: "what your country can do for you,", meant: "qué vuestro país puede hacer para ti," },
  {
    time: "0:08",
    said: "ask what you can do for your country.",
    meant: "pedir qué puedes hacer para vuestro país.",
  },
] as const;

export function StillLines() {
  return (
    <ol>
      {lines.map(({ time, said, meant }) => (
        <li key={time}>
          <span className={styles.time}>{time}</span>
          <p lang="en">{said}</p>
          <p lang="es" className={styles.meant}>
            {meant}
          </p>
        </li>
      ))}
    </ol>
  );
}
