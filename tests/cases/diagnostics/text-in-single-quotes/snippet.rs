let name = 'lacuna';
format!("{name} {}", 'x')
