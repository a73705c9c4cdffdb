let day = calendar::Date { year: 2026, month: 1, day: 1 };
(0..100).filter(|days| calendar::add_days(day, *days).is_ok()).count() as u32
