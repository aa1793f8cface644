import { useTranslation } from "react-i18next";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./language-select.module.css";

/** Selects the interface language. Each language has its own name. */
export function LanguageSelect() {
  const { t, i18n } = useTranslation();
  return (
    <span className={`needsScript ${styles.select}`}>
      <Icon name="globe" />
      <select
        aria-label={t("nav.language")}
        value={i18n.resolvedLanguage ?? "en"}
        onChange={(event) => void i18n.changeLanguage(event.target.value)}
      >
        {interfaceLanguages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
