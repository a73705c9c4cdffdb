struct Solution;

impl Solution {
    pub fn two_sum(nums: Vec<i32>, target: i32) -> Vec<u32> {
        let mut seen = std::collections::HashMap::new();
        for (at, n) in nums.iter().enumerate() {
            if let Some(&other) = seen.get(&(target - n)) { return vec![other, at as u32]; }
            seen.insert(*n, at as u32);
        }
        vec![]
    }
}
