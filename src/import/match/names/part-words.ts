import { lazy } from '../../../core/memory/lazy.ts';
import { latinWords } from './latin-words.ts';

/**
 * Words for a part of a larger place that has its own listing: the bank's cash machine, the hotel's pool. One name with
 * such a word and one without are two listings at one address, not one place.
 */
export const partWords = lazy(
  (): ReadonlySet<string> =>
    new Set(
      latinWords(`
    atm atms geldautomat bancomat cajero cashpoint money mortgage securities wealth loans
    fuel gas petrol charging tire tires collision body parts service services rental leasing repair wash carwash
    pharmacy apotheke farmacia photo vision optical glasses eyewear lens hearing floral flowers garden market marketplace
    bakery deli liquor grocery pickup drive thru kiosk tech training grooming
    department dept office headquarters hq administration district press laundry warehouse annex depot offsite
    library bookstore gym pool parking parkplatz parkhaus hall arena stadium court courts field theater theatre chapel
    playground lobby rooftop restroom toilets room tower faculty institute dorm preschool daycare kids youth nursery
    bus stop haltestelle platform terminal gate entrance exit bay taxi northbound southbound
    バス停 バス停留所 駐車場 ホーム 乗り場 タクシー 広場 窓口
    police fire sheriffs festival event events conference
    clinic emergency urgent imaging radiology laboratory lab rehab rehabilitation primary physical womens
    surgery surgical pediatric pediatrics cardiology neurology oncology dermatology urology gynecology obstetrics ob gyn
    orthopedic orthopedics orthopaedics endocrinology vascular kidney dialysis sleep allergy audiology anesthesiology
    gastroenterology geriatrics hematology internal nephrology ophthalmology pain palliative pathology podiatry psychiatry
    pulmonology pulmonary rheumatology spine transplant trauma wound hospice behavioral infusion cancer heart breast
    speech occupational therapy
  `),
    ),
);
