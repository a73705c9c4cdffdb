mod bank {
    pub struct Account { balance: u32 }
    impl Account { pub fn open() -> Account { Account { balance: 5 } } fn audit(&self) -> u32 { self.balance } }
    fn rate() -> u32 { 2 }
}
let account = bank::Account::open();
account.balance + account.audit() + bank::rate()
